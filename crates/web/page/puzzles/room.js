export function Room() { return null; }
