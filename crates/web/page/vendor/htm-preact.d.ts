/** What the page uses of htm-preact.js. */
export type VNode = object;
export type Node = VNode | VNode[] | string | number | boolean | null | undefined;
export type Ref<T> = { current: T };
export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
export function h(type: unknown, props: object | null, ...children: unknown[]): VNode;
export function render(tree: unknown, parent: Element): void;
export class Component<P = object, S = object> {
  constructor(props?: P);
  props: P;
  state: S;
  setState(state: Partial<S>): void;
  forceUpdate(): void;
  render(props: P, state: S): unknown;
}
export function useState<T>(first: T | (() => T)): [T, (next: T | ((old: T) => T)) => void];
export function useReducer<T, A>(reduce: (state: T, action: A) => T, first: T): [T, (action: A) => void];
export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useRef<T>(first: T): Ref<T>;
export function useMemo<T>(make: () => T, inputs: readonly unknown[]): T;
export function useCallback<T>(callback: T, inputs: readonly unknown[]): T;
export function createContext<T>(first: T): { Provider: unknown };
export function useContext<T>(context: { Provider: unknown }): T;
export function useErrorBoundary(callback?: (error: Error) => void): [Error | undefined, () => void];
