#!/usr/bin/env python3
"""Check a proof of Clobber or Othello on a grid (docs/proofs.md): python3 scripts/check_proof.py FILE

This checker shares no code with the program that writes proofs and needs the standard library only. It compares whole
positions, no hashes. Exit status: 0 the proof is accepted, 1 it is refused, 2 the file cannot be read.
"""
import re, struct, sys, time
from functools import cache
from itertools import product, takewhile

EFFORT, OTHER = 2_000_000, {"x": "o", "o": "x"}  # positions that one plain search may look at; the other side
DIRECTIONS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))  # the first four are Clobber's

def require(condition, why):
    if not condition:
        sys.exit(f"refused: {why}")
def ones(number):
    return [place for place in range(number.bit_length()) if number >> place & 1]
def checksum(state, data):
    state ^= len(data)
    for (word,) in struct.iter_unpack("<Q", data + bytes(-len(data) % 8)):
        state = (state ^ word) * 0x9E3779B97F4A7C15 & (1 << 64) - 1
        state ^= state >> 32
    return state

def read_frame(data):
    """The header's text and the blocks (kind, count, content) between header and trailer."""
    require(data.startswith(b"upstar-proof "), "this is not a proof: it does not begin with upstar-proof")
    require(data.startswith(b"upstar-proof 1\n"), "the proof has another version than 1")
    at, whole, blocks = 15, 0, [("", 0, b"")]
    while blocks[-1][0] != "T":
        letter, count, length = struct.unpack("<cII", data[at:at + 9].ljust(9))
        content, end, before = data[at + 9:at + 9 + length], at + 9 + length, whole
        require(length <= 1 << 21 and count <= 1 << 14 and end + 8 <= len(data), "the proof ends too early")
        computed = struct.pack("<Q", checksum(checksum(0, data[at:at + 9]), content))
        require(data[end:end + 8] == computed, "a checksum is wrong")
        at, whole = end + 8, checksum(whole, computed)
        blocks.append((letter.decode("latin-1"), count, content))
    kinds = "NL" if blocks[1][2].startswith(b"game clobber") else "XO"
    order = re.fullmatch(f"H{kinds[0]}*{kinds[1]}*T", "".join(kind for kind, _, _ in blocks))
    require(at == len(data) and order, "the order of blocks")
    counts = [sum(count for kind, count, _ in blocks if kind == wanted) for wanted in kinds]
    require(content == struct.pack("<QQQ", *counts, before), "the totals are wrong")
    return blocks[1][2].decode("utf-8", "replace"), blocks[2:-1]

def read_header(text, *names):
    """The values of the header's lines, the rows and columns of the board, and its cells in one line."""
    found = re.fullmatch("".join(f"{name} (.*)\n" for name in names), text)
    require(found and found[3] in OTHER and re.fullmatch("[xo.#|]+", found[2]), "the header is malformed")
    require(re.fullmatch("[0-9]{1,2}", found[len(names)]) and int(found[len(names)]) <= 64, "leaves are too large")
    rows, cells = found[2].split("|"), found[2].replace("|", "")
    require({len(row) for row in rows} == {len(rows[0])} and 0 < len(cells) <= 128, "the board is not a rectangle")
    return found.groups(), len(rows), len(rows[0]), cells

class Bits:
    """The bits of a block. The chance of a 0 in each context follows what is seen."""
    def __init__(self, content):
        self.content, self.next, self.range, self.chances, self.stack = content, 5, 0xFFFFFFFF, {}, []
        self.code = int.from_bytes(content[1:5].ljust(4, b"\0"), "big")  # the first byte is 0
    def bit(self, *context):
        chance = self.chances.get(context, 1024)
        bound = (self.range >> 11) * chance
        bit = int(self.code >= bound)
        if bit:
            self.code, self.range, chance = self.code - bound, self.range - bound, chance - (chance >> 5)
        else:
            self.range, chance = bound, chance + (2048 - chance >> 5)
        self.chances[context] = chance
        while self.range < 1 << 24:
            byte = self.content[self.next] if self.next < len(self.content) else 0
            self.next, self.range, self.code = self.next + 1, self.range << 8, (self.code << 8 | byte) & 0xFFFFFFFF
        return bit
    def number(self, width, *context):
        node = 1
        for _ in range(width):
            node = node << 1 | self.bit(*context, node)
        return node - (1 << width)
    def cells(self, rows, cols, holes=0):
        """The stones of a box as numbers x and o; holes are not coded."""
        found = {}
        for row, col in (divmod(cell, cols) for cell in range(rows * cols) if not holes >> cell & 1):
            near = "".join(found.get(place, ".") for place in ((row, col - 1), (row - 1, col), (row - 1, col + 1)))
            if self.bit("stone", near):
                found[row, col] = "xo"[self.bit("white", near)]
        return [sum(1 << row * cols + col for row, col in found if found[row, col] == side) for side in "xo"]

def entries(blocks, wanted):
    """For each node or lemma of the blocks of a kind the bits that it is read from."""
    for count, bits in [(count, Bits(content)) for kind, count, content in blocks if kind == wanted]:
        for _ in range(count):
            yield bits
            require(bits.next <= len(bits.content) and len(bits.stack) <= 1 << 12, "a block is malformed")
        require(bits.next == len(bits.content), "the length of a block is wrong")

class Proof:
    """What both games share. A position is a tuple whose last item is the side to move."""
    def check_nodes(self, root, blocks, kind):
        """Every node's replies must lead to nodes or leaves, and the root must be a node or a leaf."""
        self.known, self.nodes, self.awaited, stacks = {}, set(), {self.normal(root)}, {}
        self.nodes |= self.awaited if self.is_leaf(root) else set()
        for bits in entries(blocks, kind):
            node, stacks[id(bits.stack)] = bits.stack.pop() if bits.stack else self.read_node(bits), bits.stack
            self.nodes.add(node)
            for position in dict.fromkeys(self.options(node) if node[-1] != self.prover else [node]):
                self.follow(position, bits)
        missing = self.awaited.union(*stacks.values()) - self.nodes
        require(not missing, f"the proof has gaps: {len(missing)} positions are not listed")
    def follow(self, position, bits):
        """Plays the prover's replies up to the challenger's next choice, or to a leaf."""
        while not self.is_leaf(position):
            if position[-1] != self.prover:
                new = bits.bit("new", min(self.size(position), 127))
                return bits.stack.append(self.normal(position)) if new else self.awaited.add(self.normal(position))
            replies = self.options(position)
            width = (len(replies) - 1).bit_length()
            index = bits.number(width, "reply", self.reply_context(width, len(replies)))
            require(index < len(replies), "a reply is not a move")
            position = replies[index]
    def is_leaf(self, position):
        """Whether this is a leaf; then what is claimed must hold in it."""
        leaf, self.effort = self.size(position) <= self.limit or self.is_over(position), EFFORT
        require(not leaf or self.wins(position) == (position[-1] == self.prover), f"the claim fails in {position}")
        return leaf
    def wins(self, position):
        """Whether the side to move gets what is claimed for it, or prevents what is claimed for the other side."""
        if position not in self.known:
            self.effort -= 1
            require(self.effort > 0, "a search exceeds its limit")
            options = sorted(dict.fromkeys(self.options(position)), key=self.size)
            won = (self.wins(option) == (option[-1] == position[-1]) for option in options)
            self.known[position] = any(won) if options else self.wins_at_end(position)
        return self.known[position]

# Clobber: a piece is (rows, columns, x, o), a position (pieces in order, side to move); bit row × columns + column is a cell.
@cache
def normal_piece(stones):
    """The least of the images of stones (row, column, side) with no more rows than columns."""
    found = []
    for down, right, first in product((1, -1), (1, -1), (0, 1)):
        image = [(down * stone[first], right * stone[1 - first], stone[2]) for stone in stones]
        rows, cols, _ = map(sorted, zip(*image))
        width, cells = cols[-1] - cols[0] + 1, {"x": 0, "o": 0}
        for row, col, side in image:
            cells[side] |= 1 << (row - rows[0]) * width + col - cols[0]
        found.append((rows[-1] - rows[0] + 1, width, *cells.values()))
    return min(piece for piece in found if piece[0] <= piece[1])

@cache
def negative(piece):
    return normal_piece(frozenset((*place, OTHER[side]) for place, side in stones_of(piece).items()))
def stones_of(piece):
    return {divmod(cell, piece[1]): side for side, cells in zip("xo", piece[2:]) for cell in ones(cells)}
def count(pieces):
    return sum((x | o).bit_count() for _, _, x, o in pieces)
def add(rest, parts):
    """The sum of some pieces and others; a piece and its negative cancel."""
    pieces = list(rest)
    for part in parts:
        pieces.remove(negative(part)) if negative(part) in pieces else pieces.append(part)
    return tuple(sorted(pieces))

class Clobber(Proof):
    def __init__(self, text, blocks):
        names = ("game", "position", "to-move", "winner", "first", "leaf-stones")
        (game, position, to_move, self.prover, first, limit), _, cols, cells = read_header(text, *names)
        require(game in ("clobber", "clobber:cannibal") and self.prover in OTHER, "the header is malformed")
        self.cannibal, self.lemmas, self.steps, self.known, self.last = game != "clobber", {}, {}, {}, (0,)
        self.limit, start = int(limit), {divmod(i, cols): side for i, side in enumerate(cells) if side in OTHER}
        start = dict(self.moves(start, to_move)).get(first.replace("-", "")) if to_move == self.prover else start
        require(start is not None and (to_move == self.prover) != (first == "-"), "the first move is not possible")
        for bits in entries(blocks, "L"):
            self.check_lemma(self.read_piece(bits), self.read_sum(bits))
        self.check_nodes((self.simple(self.parts(start)), OTHER[self.prover]), blocks, "N")
        self.claim = f"{self.prover} wins {game} {position} with {to_move} to move ({len(self.nodes)} positions)"
    normal, size = staticmethod(lambda position: position), staticmethod(lambda position: count(position[0]))
    reply_context, wins_at_end = staticmethod(lambda width, _: width), staticmethod(lambda _: False)
    def moves(self, stones, color):
        """Name and outcome of each move: cells row by row, directions up, left, down, right."""
        name = lambda row, col: (chr(96 + col // 26) if col > 25 else "") + chr(97 + col % 26) + str(row + 1)
        for row, col in sorted(place for place in stones if stones[place] == color):
            for to in ((row + r, col + c) for r, c in DIRECTIONS[:4]):
                if stones.get(to) == OTHER[color] or self.cannibal and to in stones:
                    after = {place: stones[place] for place in stones if place != (row, col)} | {to: color}
                    yield name(row, col) + name(*to), after
    def parts(self, stones):
        """The connected parts in which a move is possible, in normal form."""
        left, found = set(stones), []
        while left:
            part = [left.pop()]
            for row, col in part:
                near = left.intersection((row + r, col + c) for r, c in DIRECTIONS[:4])
                left -= near
                part.extend(near)
            if len(part if self.cannibal else {stones[place] for place in part}) > 1:
                found.append(normal_piece(frozenset((*place, stones[place]) for place in part)))
        return found
    def simple(self, parts):
        return add((), [piece for part in parts for piece in self.lemmas.get(part, (part,))])
    def is_over(self, position):
        """A sum with more stones than leaves have is a node, even if nobody can move in it."""
        return False
    def options(self, position):
        """What the moves lead to, those in each different piece once."""
        (pieces, color), found = position, []
        for index, piece in enumerate(pieces):
            if (piece, color) not in self.steps:
                after = (after for _, after in self.moves(stones_of(piece), color))
                self.steps[piece, color] = [self.simple(self.parts(stones)) for stones in after]
            if index == 0 or pieces[index - 1] != piece:
                rest = pieces[:index] + pieces[index + 1:]
                found += [(add(rest, option), OTHER[color]) for option in self.steps[piece, color]]
        return found
    def read_piece(self, bits):
        rows, cols = bits.number(7, "rows") + 1, bits.number(7, "columns") + 1
        require(rows * cols <= 128 and bits.next <= len(bits.content), "a piece is too large")
        piece = (rows, cols, *bits.cells(rows, cols))
        require(self.parts(stones_of(piece)) == [piece], "a piece is not in normal form")
        return piece
    def read_sum(self, bits):
        return tuple(self.read_piece(bits) for _ in range(bits.number(7, "pieces")))
    def read_node(self, bits):
        node = self.read_sum(bits)
        require(self.simple(node) == node, "a node is not simplified by the lemmas")
        return node, OTHER[self.prover]
    def check_lemma(self, piece, equal):
        place = (count([piece]), piece)
        require(place > self.last and all((count([part]), part) < place for part in equal), "the order of lemmas")
        require(count(equal) <= place[0], "a lemma does not simplify")
        self.last, self.effort = place, EFFORT
        difference = add((), [piece, *map(negative, equal)])
        require(not any(self.wins((difference, side)) for side in "xo"), f"the lemma {piece} = {equal} is false")
        equal = self.simple(equal)
        self.lemmas[negative(piece)], self.lemmas[piece] = tuple(map(negative, equal)), equal

# Othello: a position is (discs of the side to move, those of the other, the side to move); forced passes are made at once.
class Othello(Proof):
    def __init__(self, text, blocks):
        names = ("game", "position", "to-move", "empties", "at-least", "at-most", "leaf-empties")
        (game, position, to_move, empties, *bounds, limit), rows, cols, board = read_header(text, *names)
        require(game == "othello" and rows * cols <= 64 and empties in ("nobody", "winner"), "the header is malformed")
        start = {side: sum(1 << i for i, letter in enumerate(board) if letter == side) for side in "xo#"}
        self.shape, self.limit, self.to_winner, listed = (rows, cols, start["#"]), int(limit), empties == "winner", 0
        self.cells, places = (1 << rows * cols) - 1 & ~start["#"], [divmod(i, cols) for i in range(rows * cols)]
        self.rays = [[[1 << (i + k * r) * cols + j + k * c for k in range(1, 64) if (i + k * r, j + k * c) in places]
                      for r, c in DIRECTIONS] for i, j in places]
        flips = list(product((0, rows - 1), (0, cols - 1)))
        turns = [[abs(down - i) * cols + abs(right - j) for i, j in places] for down, right in flips]
        turns += [[abs(down - j) * cols + abs(right - i) for i, j in places] for down, right in flips if rows == cols]
        self.turns = [turn for turn in turns if self.image(turn, start["#"]) == start["#"]]
        require(bounds != ["-", "-"], "nothing is claimed")
        for self.prover, bound in zip("xo", bounds):
            kind = self.prover.upper()
            require(bound != "-" or kind not in [block[0] for block in blocks], "a strategy for nothing")
            if bound != "-":
                require(re.fullmatch("-?[0-9]{1,2}", bound) and abs(int(bound)) <= self.cells.bit_count(), "the bounds")
                self.goal = int(bound) if self.prover == "x" else -int(bound)
                self.check_nodes(self.passed(start[to_move], start[OTHER[to_move]], to_move), blocks, kind)
                listed += len(self.nodes)
        bounds = f"at least {bounds[0]}, at most {bounds[1]}, empty cells to {empties}"
        self.claim = f"othello {position} with {to_move} to move, {bounds} ({listed} positions)"
    reply_context = staticmethod(lambda _, number: number)
    image = staticmethod(lambda turn, cells: sum(1 << turn[cell] for cell in ones(cells)))
    def normal(self, position):
        return *min([self.image(turn, discs) for discs in position[:2]] for turn in self.turns), position[2]
    def size(self, position):
        return (self.cells & ~position[0] & ~position[1]).bit_count()
    @cache
    def placements(self, own, other):
        """The discs that each placement turns and places, in the order of cells."""
        found = []
        for cell in ones(self.cells & ~own & ~other):
            runs = [(ray, list(takewhile(other.__and__, ray))) for ray in self.rays[cell]]
            turned = sum(sum(run) for ray, run in runs if len(run) < len(ray) and ray[len(run)] & own)
            found += [turned | 1 << cell] if turned else []
        return found
    def passed(self, own, other, side):
        must = not self.placements(own, other) and self.placements(other, own)
        return (other, own, OTHER[side]) if must else (own, other, side)
    def options(self, position):
        """The prover's by how many placements they leave, equals in the order of cells, which is the challenger's."""
        own, other, side = position
        after = [(other & ~turned, own | turned) for turned in self.placements(own, other)]
        after.sort(key=lambda option: len(self.placements(*option)) if side == self.prover else 0)
        return [self.passed(*option, OTHER[side]) for option in after]
    def is_over(self, position):
        return not self.options(position)
    def wins_at_end(self, position):
        score = position[0].bit_count() - position[1].bit_count()
        score += self.to_winner * ((score > 0) - (score < 0)) * self.size(position)
        return score >= self.goal if position[2] == self.prover else -score < self.goal
    def read_node(self, bits):
        side = self.prover if bits.bit("to move") else OTHER[self.prover]
        discs = dict(zip("xo", bits.cells(*self.shape)))
        return self.normal(self.passed(discs[side], discs[OTHER[side]], side))

if __name__ == "__main__":
    begun = time.monotonic()
    require(len(sys.argv) == 2, "FILE is missing: python3 scripts/check_proof.py 4x5.proof")
    try:
        header, blocks = read_frame(open(sys.argv[1], "rb").read())
    except OSError as why:
        print(f"error: {why}", file=sys.stderr)
        sys.exit(2)
    proof = (Clobber if header.startswith("game clobber") else Othello)(header, blocks)
    print(f"accepted: {proof.claim}, {time.monotonic() - begun:.1f} s")
