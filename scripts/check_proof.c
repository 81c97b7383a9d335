/* Check a proof of Clobber (docs/proofs.md) on a grid of up to 64 cells, fast and on several threads:

       cc -O3 -march=native -pthread -o check_proof scripts/check_proof.c
       ./check_proof [--threads N] FILE

   Like check_proof.py, this checker shares no code with the program that writes proofs. It needs GCC or Clang, POSIX
   threads and /dev/urandom. Exit status: 0 the proof is accepted, 1 it is refused, 2 it cannot be read (or checked).

   Lemmas are read first, by one thread; then all threads take lemmas, and after them blocks of nodes, from a counter.
   Sums are known by hashes of more than 128 bits, with a key that is drawn anew at each start. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef uint64_t u64;
typedef unsigned __int128 u128;

enum {
    X, O,              /* the two sides */
    CELLS = 64,        /* of a board, and stones of a node or of one side of a lemma */
    PIECES = CELLS,    /* of a sum: a piece has two stones, and the difference of a lemma twice 64 */
    MOVES = 8 * CELLS, /* in a sum */
    STACK = 4096,      /* sums that a block may have on its stack */
    EFFORT = 10000000, /* positions that one plain search may look at */
    ARENA = 1 << 20,   /* pieces of positions that a search has yet to look at */
    MAX_THREADS = 256
};

/* Says why and ends the program: status 1 the proof is refused, 2 it cannot be read. */
static _Noreturn void stop(int status, const char *format, ...) {
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    va_list values;
    pthread_mutex_lock(&once); /* never unlocked: the first reason is the only one */
    fputs(status == 1 ? "refused: " : "error: ", stderr);
    va_start(values, format);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    _exit(status);
}

static void require(bool condition, const char *why) {
    if (!condition) stop(1, "%s", why);
}

static void *checked(void *memory) {
    if (!memory) stop(2, "there is not enough memory");
    return memory;
}

/* A list with room for more items; it moves when it grows. */
static void *grown(void *list, u64 *room, u64 needed, size_t size) {
    if (needed < *room) return list;
    *room = 2 * needed + 1;
    return checked(realloc(list, *room * size));
}

/* Memory of zeros that takes room only where it is used. */
static void *zeros(u64 bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    checked(memory == MAP_FAILED ? NULL : memory);
#ifdef MADV_HUGEPAGE
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

/* ---- Pieces ----
   The cells of a box are bits, row by row. The rows are `stride` bits apart: eight, or the number of columns if there
   are more. In the format it is always the number of columns, but the order of cells is the same, and so numbers
   compare alike. A box has no more rows than columns; as it has at most 64 cells, it has at most eight rows. */

struct piece {
    u64 x, o;
    uint8_t rows, cols, stones_x, stones_o;
};

struct sum {
    int count, stones;
    struct piece pieces[PIECES];
};

static struct layout {
    int stride;
    u64 first, last; /* the first and the last cell of each row */
} layouts[CELLS + 1];

static bool cannibal;

static void make_layouts(void) {
    for (int cols = 1; cols <= CELLS; cols++) {
        struct layout *layout = &layouts[cols];
        layout->stride = cols < 8 ? 8 : cols;
        for (int cell = 0; cell + layout->stride <= 64; cell += layout->stride) {
            layout->first |= 1ULL << cell;
            layout->last |= 1ULL << (cell + layout->stride - 1);
        }
    }
}

/* The neighbours of cells in a direction: up, left, down, right. A stride may be 64, a shift that C does not define. */
static inline u64 neighbours(const struct layout *layout, u64 cells, int direction) {
    switch (direction) {
    case 0: return cells >> 1 >> (layout->stride - 1);
    case 1: return (cells & ~layout->first) >> 1;
    case 2: return cells << 1 << (layout->stride - 1);
    default: return (cells & ~layout->last) << 1;
    }
}

static inline int bits_of(u64 cells) { return __builtin_popcountll(cells); }
static inline int stones_of(const struct piece *piece) { return piece->stones_x + piece->stones_o; }

static int compare(const struct piece *a, const struct piece *b) {
    if (a->rows != b->rows) return a->rows - b->rows;
    if (a->cols != b->cols) return a->cols - b->cols;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    return a->o < b->o ? -1 : a->o > b->o;
}

static bool same(const struct piece *a, const struct piece *b) {
    return a->x == b->x && a->o == b->o && a->rows == b->rows && a->cols == b->cols;
}

static inline u64 reverse_bytes(u64 cells) {
    cells = (cells >> 1 & 0x5555555555555555) | (cells & 0x5555555555555555) << 1;
    cells = (cells >> 2 & 0x3333333333333333) | (cells & 0x3333333333333333) << 2;
    return (cells >> 4 & 0x0f0f0f0f0f0f0f0f) | (cells & 0x0f0f0f0f0f0f0f0f) << 4;
}

static inline u64 transposed(u64 cells) {
    u64 swap = (cells ^ cells >> 7) & 0x00aa00aa00aa00aa;
    cells ^= swap ^ swap << 7;
    swap = (cells ^ cells >> 14) & 0x0000cccc0000cccc;
    cells ^= swap ^ swap << 14;
    swap = (cells ^ cells >> 28) & 0x00000000f0f0f0f0;
    return cells ^ swap ^ swap << 28;
}

/* The cells upside down, and with each row reversed. */
static inline u64 flipped_rows(u64 cells, int rows, int cols) {
    if (cols <= 8) return __builtin_bswap64(cells) >> (64 - 8 * rows);
    u64 row = ~0ULL >> (64 - cols), found = 0;
    for (int at = 0; at < rows; at++) found |= (cells >> at * cols & row) << (rows - 1 - at) * cols;
    return found;
}

static inline u64 flipped_cols(u64 cells, int rows, int cols) {
    if (cols <= 8) return reverse_bytes(cells) >> (8 - cols);
    return flipped_rows(reverse_bytes(__builtin_bswap64(cells)) >> (64 - rows * cols), rows, cols);
}

/* The normal form of stones that fill their box. A box with more rows than columns is 8 by 8 at most. */
static struct piece normal(u64 x, u64 o, int rows, int cols) {
    if (rows > cols) {
        x = transposed(x), o = transposed(o);
        int swap = rows;
        rows = cols, cols = swap;
    }
    struct piece best = {x, o, rows, cols, bits_of(x), bits_of(o)};
    for (int turn = 0;; turn++) {
        for (int flip = turn == 0; flip < 4; flip++) { /* the first image is there already */
            u64 image_x = x, image_o = o;
            if (flip & 1) image_x = flipped_rows(image_x, rows, cols);
            if (flip & 2) image_x = flipped_cols(image_x, rows, cols);
            if (image_x > best.x) continue;
            if (flip & 1) image_o = flipped_rows(image_o, rows, cols);
            if (flip & 2) image_o = flipped_cols(image_o, rows, cols);
            if (image_x < best.x || image_o < best.o) best.x = image_x, best.o = image_o;
        }
        if (turn == 1 || rows != cols) return best;
        x = transposed(x), o = transposed(o);
    }
}

static struct piece negative(const struct piece *piece) {
    return normal(piece->o, piece->x, piece->rows, piece->cols);
}

/* The normal form of connected stones somewhere in a box. */
static struct piece cut_out(u64 x, u64 o, int rows, int cols) {
    u64 all = x | o;
    if (cols <= 8) {
        int top = __builtin_ctzll(all) / 8, below = 8 - __builtin_clzll(all) / 8;
        u64 fold = all | all >> 32;
        fold |= fold >> 16;
        unsigned columns = (fold | fold >> 8) & 255;
        int side = __builtin_ctz(columns), end = 32 - __builtin_clz(columns);
        return normal(x >> (8 * top + side), o >> (8 * top + side), below - top, end - side);
    }
    u64 row = ~0ULL >> (64 - cols), columns = 0;
    int top = -1, below = 0;
    for (int at = 0; at < rows; at++) {
        u64 part = all >> at * cols & row;
        columns |= part;
        if (part && top < 0) top = at;
        if (part) below = at + 1;
    }
    int side = __builtin_ctzll(columns), width = 64 - __builtin_clzll(columns) - side;
    u64 cut_x = 0, cut_o = 0;
    for (int at = top; at < below; at++) {
        int to = (at - top) * layouts[width].stride;
        cut_x |= (x >> at * cols & row) >> side << to;
        cut_o |= (o >> at * cols & row) >> side << to;
    }
    return normal(cut_x, cut_o, below - top, width);
}

/* ---- Hashes ----
   Each of the three words of a hash is the upper half of a sum of products with keys of 128 bits that nobody knows
   (Lemire and Kaser, Strongly universal string hashing is fast, 2014). Two different sums, however they were chosen,
   agree in a word with a chance of 2^-64. */

struct hash {
    u64 low, high, place;
};

static u128 keys[2 + 3 * PIECES][3];

static struct hash hash_of(const struct sum *sum, int side) {
    u128 low = keys[0][0], high = keys[0][1], place = keys[0][2];
    if (side) low += keys[1][0], high += keys[1][1], place += keys[1][2];
    for (int at = 0; at < sum->count; at++) {
        const struct piece *piece = &sum->pieces[at];
        const u128(*key)[3] = &keys[2 + 3 * at];
        u64 box = (u64)piece->rows << 8 | piece->cols;
        low += key[0][0] * piece->x + key[1][0] * piece->o + key[2][0] * box;
        high += key[0][1] * piece->x + key[1][1] * piece->o + key[2][1] * box;
        place += key[0][2] * piece->x + key[1][2] * piece->o + key[2][2] * box;
    }
    return (struct hash){low >> 64, high >> 64, place >> 64};
}

static void draw_keys(void) {
    FILE *random = fopen("/dev/urandom", "rb");
    if (!random || fread(keys, sizeof keys, 1, random) != 1) stop(2, "/dev/urandom cannot be read");
    fclose(random);
}

/* A slot of a table: a word of the hash, and another whose lowest two bits are marks. The third word says where to
   look; as tables have at least 2^16 places, that makes more than 128 bits. */
struct slot {
    _Atomic u64 low, high;
};

static inline u64 slot_at(u64 place, u64 slots) { return (u128)place * slots >> 64; }

/* ---- Nodes and sums that have to be nodes ---- */

enum { NODE = 1, AWAITED = 2 };

static struct slot *nodes;
static u64 node_slots;
static int winner;

/* Marks a sum with the loser to move. A slot is filled once: whoever puts in the low word puts in the high one as well,
   and others wait for it. */
static void mark(const struct sum *sum, u64 marks) {
    struct hash hash = hash_of(sum, !winner);
    u64 low = hash.low ? hash.low : 1, high = hash.high & ~3ULL, at = slot_at(hash.place, node_slots);
    for (u64 tries = 0; tries < node_slots; tries++, at = at + 1 < node_slots ? at + 1 : 0) {
        u64 found = atomic_load_explicit(&nodes[at].low, memory_order_relaxed), upper;
        if (!found && atomic_compare_exchange_strong(&nodes[at].low, &found, low)) {
            atomic_store_explicit(&nodes[at].high, high | marks, memory_order_release);
            return;
        }
        if (found != low) continue;
        while (!(upper = atomic_load_explicit(&nodes[at].high, memory_order_acquire))) sched_yield();
        if ((upper & ~3ULL) != high) continue;
        if ((upper & marks) != marks) atomic_fetch_or(&nodes[at].high, marks);
        return;
    }
    stop(1, "the proof has gaps: more positions are referred to than are listed");
}

/* ---- Results of searches ----
   Buckets of four slots, a line of the processor's cache. A full bucket forgets. The marks are the result. Two threads
   that write a slot at once may leave words of two sums in it; that is harmless unless the sums agree in a word. */

enum { WINS = 1, LOSES = 2 };

static struct slot *results;
static u64 buckets;

static struct slot *bucket_of(const struct hash *hash) { return &results[4 * slot_at(hash->place, buckets)]; }

static int known(const struct hash *hash) {
    struct slot *bucket = bucket_of(hash);
    for (int at = 0; at < 4; at++)
        if (atomic_load_explicit(&bucket[at].low, memory_order_relaxed) == hash->low) {
            u64 high = atomic_load_explicit(&bucket[at].high, memory_order_relaxed);
            if (!((high ^ hash->high) & ~3ULL)) return high & 3;
        }
    return 0;
}

static void remember(const struct hash *hash, int result) {
    struct slot *bucket = bucket_of(hash);
    int at = 0;
    while (at < 4 && atomic_load_explicit(&bucket[at].high, memory_order_relaxed)) at++;
    if (at == 4) at = hash->low & 3;
    atomic_store_explicit(&bucket[at].low, hash->low, memory_order_relaxed);
    atomic_store_explicit(&bucket[at].high, (hash->high & ~3ULL) | result, memory_order_relaxed);
}

/* ---- Lemmas ----
   An open hash table from a piece to its sum, filled while one thread runs and then only read. */

/* Sums in a list, those of the table as well as those of lemmas as they are read. */
struct listed {
    u64 from;
    int count;
};

static struct piece *list;
static u64 list_used, list_room;

static struct listed in_list(const struct sum *sum) {
    struct listed listed = {list_used, sum->count};
    list = grown(list, &list_room, list_used + sum->count, sizeof *list);
    memcpy(list + list_used, sum->pieces, sum->count * sizeof *list);
    list_used += sum->count;
    return listed;
}

static struct rule {
    struct piece piece; /* no stones: free */
    struct listed equal;
} *rules;

static u64 rule_slots; /* four for each lemma */
static int largest_rule;

static struct rule *rule_slot(const struct piece *piece) {
    u64 mixed = (piece->x ^ (u64)keys[0][0]) * ((u64)keys[1][0] | 1);
    mixed = (mixed ^ mixed >> 29 ^ piece->o ^ (u64)piece->cols << 56) * ((u64)keys[1][1] | 1);
    u64 at = slot_at(mixed, rule_slots);
    while (stones_of(&rules[at].piece) && !same(&rules[at].piece, piece)) at = at + 1 < rule_slots ? at + 1 : 0;
    return &rules[at];
}

static void add_rule(const struct piece *piece, const struct sum *equal) {
    struct rule *rule = rule_slot(piece);
    rule->piece = *piece, rule->equal = in_list(equal);
    if (stones_of(piece) > largest_rule) largest_rule = stones_of(piece);
}

/* ---- Sums ---- */

static void copy(struct sum *to, const struct sum *from) {
    to->count = from->count, to->stones = from->stones;
    memcpy(to->pieces, from->pieces, from->count * sizeof *to->pieces);
}

/* Adds a piece, in its place; a piece and its negative cancel. */
static void add(struct sum *sum, const struct piece *piece) {
    int at = 0;
    for (int other = 0; other < sum->count; other++) {
        const struct piece *near = &sum->pieces[other];
        if (near->stones_x == piece->stones_o && near->stones_o == piece->stones_x && near->rows == piece->rows &&
            near->cols == piece->cols) {
            struct piece opposite = negative(piece);
            if (same(&opposite, near)) {
                sum->count--;
                sum->stones -= stones_of(piece);
                memmove(sum->pieces + other, sum->pieces + other + 1, (sum->count - other) * sizeof *sum->pieces);
                return;
            }
        }
        at += compare(near, piece) < 0;
    }
    if (sum->count == PIECES) stop(1, "a sum has more than %d pieces", PIECES);
    memmove(sum->pieces + at + 1, sum->pieces + at, (sum->count - at) * sizeof *sum->pieces);
    sum->pieces[at] = *piece;
    sum->count++;
    sum->stones += stones_of(piece);
}

/* Adds what the lemmas say that a piece equals. */
static void add_simplified(struct sum *sum, const struct piece *piece) {
    if (stones_of(piece) <= largest_rule) {
        const struct rule *rule = rule_slot(piece);
        if (stones_of(&rule->piece)) {
            for (int at = 0; at < rule->equal.count; at++) add(sum, &list[rule->equal.from + at]);
            return;
        }
    }
    add(sum, piece);
}

/* Adds the parts of a box in which a move is possible, as they are or simplified. */
static void add_parts(struct sum *sum, u64 x, u64 o, int rows, int cols, bool simplified) {
    const struct layout *layout = &layouts[cols];
    for (u64 rest = x | o; rest;) {
        u64 part = rest & -rest, before;
        do {
            before = part;
            for (int direction = 0; direction < 4; direction++) part |= neighbours(layout, part, direction) & rest;
        } while (part != before);
        rest &= ~part;
        if (cannibal ? !(part & (part - 1)) : !(part & x) || !(part & o)) continue;
        struct piece piece = cut_out(part & x, part & o, rows, cols);
        (simplified ? add_simplified : add)(sum, &piece);
    }
}

static inline u64 own_of(const struct piece *piece, int side) { return side == X ? piece->x : piece->o; }
static inline u64 targets_of(const struct piece *piece, int side) {
    return cannibal ? piece->x | piece->o : side == X ? piece->o : piece->x;
}

static inline bool is_repeated(const struct sum *sum, int at) {
    return at > 0 && same(&sum->pieces[at], &sum->pieces[at - 1]);
}

/* How many moves a side has; equal pieces count once. */
static int count_moves(const struct sum *sum, int side) {
    int count = 0;
    for (int at = 0; at < sum->count; at++) {
        if (is_repeated(sum, at)) continue;
        const struct piece *piece = &sum->pieces[at];
        u64 own = own_of(piece, side), targets = targets_of(piece, side);
        for (int direction = 0; direction < 4; direction++)
            count += bits_of(neighbours(&layouts[piece->cols], own, direction) & targets);
    }
    return count;
}

/* A walk through the moves of a side in the order of the format. */
struct walk {
    const struct sum *sum;
    int side, piece, direction; /* at first piece -1 and direction 4 */
    u64 left, from, to;         /* stones that are still to move; the last move */
};

static bool next_move(struct walk *walk) {
    for (;;) {
        if (walk->direction == 4) { /* the next stone, or the first of the next piece */
            while (!walk->left) {
                do walk->piece++;
                while (walk->piece < walk->sum->count && is_repeated(walk->sum, walk->piece));
                if (walk->piece == walk->sum->count) return false;
                walk->left = own_of(&walk->sum->pieces[walk->piece], walk->side);
            }
            walk->from = walk->left & -walk->left;
            walk->left ^= walk->from;
            walk->direction = 0;
        }
        const struct piece *piece = &walk->sum->pieces[walk->piece];
        walk->to = neighbours(&layouts[piece->cols], walk->from, walk->direction++);
        if (walk->to & targets_of(piece, walk->side)) return true;
    }
}

/* The sum after the last move of a walk. */
static void play(const struct walk *walk, struct sum *after) {
    const struct sum *sum = walk->sum;
    const struct piece *piece = &sum->pieces[walk->piece];
    u64 gone = ~(walk->from | walk->to), x = piece->x & gone, o = piece->o & gone;
    *(walk->side == X ? &x : &o) |= walk->to;
    after->count = sum->count - 1;
    after->stones = sum->stones - stones_of(piece);
    memcpy(after->pieces, sum->pieces, walk->piece * sizeof *piece);
    memcpy(after->pieces + walk->piece, piece + 1, (after->count - walk->piece) * sizeof *piece);
    add_parts(after, x, o, piece->rows, piece->cols, true);
}

/* ---- Plain search ---- */

/* The chances of all contexts of a block. */
struct chances {
    uint16_t rows[128], columns[128], pieces[128], stone[27], white[27], fresh[128], reply[10][512];
};

struct worker {
    int effort, arena_used, stack_size;
    struct piece *arena;
    struct sum *stack;
    struct chances chances;
};

/* Whether the side to move wins, by search of all moves, those first that leave the fewest stones. */
static bool search(struct worker *worker, const struct sum *sum, int side, const struct hash *hash) {
    struct option {
        struct hash hash;
        int from, count, stones;
    } options[MOVES];
    int count = 0, arena_before = worker->arena_used;
    bool won = false;
    struct sum after;
    require(--worker->effort > 0, "a search exceeds its limit");
    for (struct walk walk = {sum, side, -1, 4, 0, 0, 0}; !won && next_move(&walk);) {
        play(&walk, &after);
        struct hash next = hash_of(&after, !side);
        int result = after.count ? known(&next) : LOSES;
        won = result == LOSES;
        if (result) continue;
        require(worker->arena_used + after.count <= ARENA, "a search exceeds its limit");
        int at = count++;
        for (; at > 0 && options[at - 1].stones > after.stones; at--) options[at] = options[at - 1];
        options[at] = (struct option){next, worker->arena_used, after.count, after.stones};
        memcpy(worker->arena + worker->arena_used, after.pieces, after.count * sizeof *after.pieces);
        worker->arena_used += after.count;
    }
    for (int at = 0; !won && at < count; at++) {
        int result = known(&options[at].hash);
        if (!result) {
            after.count = options[at].count, after.stones = options[at].stones;
            memcpy(after.pieces, worker->arena + options[at].from, after.count * sizeof *after.pieces);
            result = search(worker, &after, !side, &options[at].hash) ? WINS : LOSES;
        }
        won = result == LOSES;
    }
    worker->arena_used = arena_before;
    remember(hash, won ? WINS : LOSES);
    return won;
}

static bool wins(struct worker *worker, const struct sum *sum, int side) {
    struct hash hash = hash_of(sum, side);
    int result = known(&hash);
    worker->effort = EFFORT;
    return result ? result == WINS : search(worker, sum, side, &hash);
}

/* ---- The coder ---- */

struct block {
    char kind;
    uint32_t count, length;
    const uint8_t *content;
};

struct bits {
    struct chances *chances;
    const uint8_t *content;
    u64 next, length;
    uint32_t range, code;
};

static inline uint32_t next_byte(struct bits *bits) {
    uint32_t byte = bits->next < bits->length ? bits->content[bits->next] : 0;
    bits->next++;
    return byte;
}

static struct bits bits_from(const struct block *block, struct chances *chances) {
    struct bits bits = {chances, block->content, 0, block->length, UINT32_MAX, 0};
    for (int byte = 0; byte < 5; byte++) bits.code = bits.code << 8 | next_byte(&bits);
    uint16_t *chance = (uint16_t *)chances;
    for (size_t at = 0; at < sizeof *chances / sizeof *chance; at++) chance[at] = 1024;
    return bits;
}

static int read_bit(struct bits *bits, uint16_t *chance) {
    uint32_t bound = (bits->range >> 11) * *chance;
    int bit = bits->code >= bound;
    if (bit) {
        bits->code -= bound, bits->range -= bound;
        *chance -= *chance >> 5;
    } else {
        bits->range = bound;
        *chance += (2048 - *chance) >> 5;
    }
    while (bits->range < 1 << 24) bits->range <<= 8, bits->code = bits->code << 8 | next_byte(bits);
    return bit;
}

static int read_number(struct bits *bits, int width, uint16_t *chances) {
    int node = 1;
    for (int at = 0; at < width; at++) node = node << 1 | read_bit(bits, &chances[node]);
    return node - (1 << width);
}

static struct piece read_piece(struct bits *bits) {
    int rows = read_number(bits, 7, bits->chances->rows) + 1, cols = read_number(bits, 7, bits->chances->columns) + 1;
    if (rows * cols > CELLS) stop(1, "a piece has more than %d cells", CELLS);
    require(rows <= cols, "a piece is not in normal form");
    uint8_t found[CELLS] = {0};
    u64 stones[2] = {0, 0};
    for (int cell = 0, row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++, cell++) {
            int near = col > 0 ? found[cell - 1] : 0;
            near = 3 * near + (row > 0 ? found[cell - cols] : 0);
            near = 3 * near + (row > 0 && col + 1 < cols ? found[cell - cols + 1] : 0);
            if (!read_bit(bits, &bits->chances->stone[near])) continue;
            int side = read_bit(bits, &bits->chances->white[near]);
            found[cell] = 1 + side;
            stones[side] |= 1ULL << (row * layouts[cols].stride + col);
        }
    struct sum parts = {.count = 0};
    add_parts(&parts, stones[X], stones[O], rows, cols, false);
    struct piece piece = {stones[X], stones[O], rows, cols, bits_of(stones[X]), bits_of(stones[O])};
    require(parts.count == 1 && same(&parts.pieces[0], &piece), "a piece is not in normal form");
    return piece;
}

static void read_sum(struct bits *bits, struct sum *sum) {
    sum->count = sum->stones = 0;
    int count = read_number(bits, 7, bits->chances->pieces);
    for (int at = 0; at < count; at++) {
        struct piece piece = read_piece(bits);
        require(at == 0 || compare(&sum->pieces[at - 1], &piece) <= 0, "the order of pieces");
        add(sum, &piece);
        require(sum->count == at + 1, "a sum has a piece and its negative");
        if (sum->stones > CELLS) stop(1, "a sum has more than %d stones", CELLS);
    }
}

/* ---- The header ---- */

enum { GAME, POSITION, TO_MOVE, WINNER, FIRST, LEAF_STONES, LINES };

static char *header[LINES];
static int leaf_stones;
static struct sum root;

static int side_of(const char *name) {
    require(!strcmp(name, "x") || !strcmp(name, "o"), "the header is malformed");
    return *name == 'x' ? X : O;
}

static void read_header(const struct block *block) {
    static const char *const names[] = {"game ", "position ", "to-move ", "winner ", "first ", "leaf-stones "};
    char *text = checked(malloc(block->length + 1ULL)), *end = text + block->length;
    memcpy(text, block->content, block->length);
    *end = 0;
    require(strncmp(text, "game othello\n", 13), "this checker knows Clobber only; check_proof.py knows Othello");
    for (int line = 0; line < LINES; line++) {
        char *feed = strchr(text, '\n');
        require(feed && !strncmp(text, names[line], strlen(names[line])), "the header is malformed");
        *feed = 0;
        header[line] = text + strlen(names[line]);
        text = feed + 1;
    }
    require(text == end, "the header is malformed");
    cannibal = !strcmp(header[GAME], "clobber:cannibal");
    require(cannibal || !strcmp(header[GAME], "clobber"), "the header is malformed");
    winner = side_of(header[WINNER]);
    const char *number = header[LEAF_STONES];
    size_t length = strspn(number, "0123456789");
    require(!number[length] && (length == 1 || (length == 2 && *number != '0')), "the header is malformed");
    leaf_stones = atoi(number);
    require(leaf_stones <= 64, "leaves are too large");
}

/* ---- The file ---- */

static struct block *blocks;
static u64 block_count, totals[2]; /* the totals of nodes and of lemmas */

static u64 number_at(const uint8_t *bytes, int length) {
    u64 number = 0;
    while (length-- > 0) number = number << 8 | bytes[length];
    return number;
}

static u64 checksum(u64 state, const uint8_t *bytes, u64 length) {
    state ^= length;
    for (u64 at = 0; at < length; at += 8) {
        state = (state ^ number_at(bytes + at, length - at < 8 ? length - at : 8)) * 0x9e3779b97f4a7c15;
        state ^= state >> 32;
    }
    return state;
}

static uint8_t *read_file(const char *path, u64 *length) {
    FILE *file = fopen(path, "rb");
    if (!file) stop(2, "%s: %s", path, strerror(errno));
    uint8_t *data = NULL;
    size_t room = 0, got;
    *length = 0;
    do {
        if (*length == room) data = checked(realloc(data, room = room ? room * 2 : 1 << 20));
        got = fread(data + *length, 1, room - *length, file);
        *length += got;
    } while (got > 0);
    if (ferror(file)) stop(2, "%s: %s", path, strerror(errno));
    fclose(file);
    return data;
}

/* Finds the blocks, whose content stays where it is. */
static void read_frame(const uint8_t *data, u64 length) {
    static const char opening[] = "upstar-proof 1\n", order[] = "HNLT";
    const char *before = order;
    u64 at = strlen(opening), whole = 0, room = 0;
    require(length >= 13 && !memcmp(data, opening, 13), "this is not a proof: it does not begin with upstar-proof");
    require(length >= at && !memcmp(data, opening, at), "the proof has another version than 1");
    struct block block;
    do {
        require(length - at >= 9, "the proof ends too early");
        block = (struct block){data[at], number_at(data + at + 1, 4), number_at(data + at + 5, 4), data + at + 9};
        require(block.count <= 1 << 14 && block.length <= 1 << 21, "a block is too large");
        require(length - at >= 17 + (u64)block.length, "the proof ends too early");
        const uint8_t *end = block.content + block.length;
        u64 sum = checksum(checksum(0, data + at, 9), block.content, block.length);
        require(number_at(end, 8) == sum, "a checksum is wrong");
        at += 17 + (u64)block.length;

        const char *kind = memchr(order, block.kind, 4);
        require(kind && (block_count == 0 ? kind == order : kind > before || (kind == before && strchr("NL", *kind))),
                "the order of blocks");
        before = kind;
        require(strchr("NL", *kind) || block.count == 0, "a block has a count but nothing to count");
        if (*kind == 'H') read_header(&block);
        if (*kind == 'N') totals[0] += block.count;
        if (*kind == 'L') totals[1] += block.count;
        if (*kind == 'T') {
            require(block.length == 24 && at == length, "the order of blocks");
            require(number_at(block.content, 8) == totals[0] && number_at(block.content + 8, 8) == totals[1] &&
                    number_at(block.content + 16, 8) == whole, "the totals are wrong");
        }
        whole = checksum(whole, end, 8);
        blocks = grown(blocks, &room, block_count + 1, sizeof *blocks);
        blocks[block_count++] = block;
    } while (block.kind != 'T');
}

/* ---- The claimed position ---- */

/* Writes the name of a cell of the board, which may have been mirrored so that it has no more rows than columns. */
static void write_cell(char *name, u64 cell, int stride, bool mirrored) {
    int row = __builtin_ctzll(cell) / stride, col = __builtin_ctzll(cell) % stride;
    int number = (mirrored ? col : row) + 1, letter = mirrored ? row : col;
    char high[2] = {letter > 25 ? 96 + letter / 26 : 0, 0};
    sprintf(name, "%s%c%d", high, 97 + letter % 26, number);
}

/* The claimed position after the first move. Needs the lemmas. */
static void read_position(void) {
    char board[CELLS];
    int cells = 0, rows = 1, cols = 0, col = 0;
    require(!strpbrk(header[POSITION], "=,-"), "this checker knows no graphs");
    for (const char *letter = header[POSITION]; *letter; letter++) {
        require(strchr("xo.#|", *letter), "the header is malformed");
        if (*letter == '|') {
            require(col > 0 && (rows == 1 || col == cols), "the board is not a rectangle");
            cols = col, col = 0, rows++;
        } else {
            if (cells == CELLS) stop(1, "this checker knows boards of up to %d cells only", CELLS);
            board[cells++] = *letter, col++;
        }
    }
    require(col > 0 && (rows == 1 || col == cols), "the board is not a rectangle");
    cols = col;

    bool mirrored = rows > cols, found = false;
    struct piece box = {0, 0, mirrored ? cols : rows, mirrored ? rows : cols, 0, 0};
    int stride = layouts[box.cols].stride, to_move = side_of(header[TO_MOVE]);
    for (int cell = 0; cell < cells; cell++) {
        int row = cell / cols, column = cell % cols;
        u64 bit = 1ULL << (mirrored ? column * stride + row : row * stride + column);
        if (board[cell] == 'x') box.x |= bit;
        if (board[cell] == 'o') box.o |= bit;
    }
    if (to_move != winner) {
        add_parts(&root, box.x, box.o, box.rows, box.cols, true);
        found = !strcmp(header[FIRST], "-");
    } else { /* to a search the whole board is a piece, too */
        struct sum whole = {.count = 1, .pieces = {box}};
        for (struct walk walk = {&whole, to_move, -1, 4, 0, 0, 0}; !found && next_move(&walk);) {
            char name[64];
            write_cell(name, walk.from, stride, mirrored);
            write_cell(name + strlen(name), walk.to, stride, mirrored);
            found = !strcmp(name, header[FIRST]);
            if (found) play(&walk, &root);
        }
    }
    require(found, "the first move is not possible");
}

/* ---- Checking lemmas ---- */

static struct lemma {
    struct piece piece;
    struct listed equal; /* as it is read, not simplified */
} *lemmas;

static u64 lemma_count;

/* Reads the lemmas of all blocks and takes them up, unchecked. The moves of a difference lead to pieces with fewer
   stones than its lemma has, and so to lemmas about fewer stones only. Therefore lemmas may be checked in any order: of
   those that are false, the one about the fewest stones is found out. */
static void read_lemmas(struct worker *worker, u64 number) {
    struct piece last = {.rows = 0};
    for (; number < block_count; number++) {
        const struct block *block = &blocks[number];
        if (block->kind != 'L') continue;
        struct bits bits = bits_from(block, &worker->chances);
        for (uint32_t entry = 0; entry < block->count; entry++) {
            struct piece piece = read_piece(&bits);
            struct sum equal, simple = {.count = 0}, opposite = {.count = 0};
            read_sum(&bits, &equal);
            require(bits.next <= bits.length, "a block is malformed");
            int stones = stones_of(&piece), before = stones_of(&last);
            require(stones > before || (stones == before && compare(&last, &piece) < 0), "the order of lemmas");
            require(equal.stones <= stones, "a lemma does not simplify");
            for (int at = 0; at < equal.count; at++) {
                const struct piece *part = &equal.pieces[at];
                require(stones_of(part) < stones || compare(part, &piece) < 0, "the order of lemmas");
                add_simplified(&simple, part);
            }
            last = piece;
            for (int at = 0; at < simple.count; at++) {
                struct piece part = negative(&simple.pieces[at]);
                add(&opposite, &part);
            }
            struct piece mirrored = negative(&piece);
            add_rule(&mirrored, &opposite);
            add_rule(&piece, &simple);

            lemmas[lemma_count++] = (struct lemma){piece, in_list(&equal)};
        }
        require(bits.next == bits.length, "the length of a block is wrong");
    }
}

static void check_lemma(struct worker *worker, u64 number) {
    const struct lemma *lemma = &lemmas[number];
    struct sum difference = {.count = 0};
    add(&difference, &lemma->piece);
    for (int at = 0; at < lemma->equal.count; at++) {
        struct piece part = negative(&list[lemma->equal.from + at]);
        add(&difference, &part);
    }
    if (wins(worker, &difference, X) || wins(worker, &difference, O))
        stop(1, "lemma %llu is false", (unsigned long long)number + 1);
}

/* ---- Checking nodes ---- */

static void read_node(struct bits *bits, struct sum *node) {
    struct sum simple = {.count = 0};
    read_sum(bits, node);
    for (int at = 0; at < node->count; at++) add_simplified(&simple, &node->pieces[at]);
    bool unchanged = simple.count == node->count;
    for (int at = 0; unchanged && at < node->count; at++) unchanged = same(&simple.pieces[at], &node->pieces[at]);
    require(unchanged, "a node is not simplified by the lemmas");
}

/* What the winner plays after a move of the loser. */
static void check_reply(struct worker *worker, struct bits *bits, const struct sum *sum) {
    struct sum after;
    if (sum->stones <= leaf_stones) {
        require(wins(worker, sum, winner), "the claim fails in a leaf with the winner to move");
        return;
    }
    int count = count_moves(sum, winner), width = count > 1 ? 32 - __builtin_clz(count - 1) : 0;
    require(count > 0, "the winner has no reply");
    int index = read_number(bits, width, bits->chances->reply[width]);
    require(index < count, "a reply is not a move");
    struct walk walk = {sum, winner, -1, 4, 0, 0, 0};
    for (int at = 0; at <= index; at++) next_move(&walk);
    play(&walk, &after);
    if (after.stones <= leaf_stones)
        require(!wins(worker, &after, !winner), "the claim fails in a leaf with the loser to move");
    else if (read_bit(bits, &bits->chances->fresh[after.stones])) { /* at most 64 */
        require(worker->stack_size < STACK, "the stack of a block is too large");
        copy(&worker->stack[worker->stack_size++], &after);
    } else
        mark(&after, AWAITED);
}

static void check_node(struct worker *worker, struct bits *bits, const struct sum *node) {
    struct hash seen[MOVES];
    struct sum after;
    int count = 0;
    mark(node, NODE);
    for (struct walk walk = {node, !winner, -1, 4, 0, 0, 0}; next_move(&walk);) {
        play(&walk, &after);
        seen[count] = hash_of(&after, winner);
        int at = 0;
        while (seen[at].low != seen[count].low || seen[at].high != seen[count].high) at++;
        if (at < count) continue; /* the same sum as after an earlier move */
        count++;
        check_reply(worker, bits, &after);
    }
}

static void check_block(struct worker *worker, u64 number) {
    const struct block *block = &blocks[number];
    if (block->kind != 'N') return;
    struct sum node;
    struct bits bits = bits_from(block, &worker->chances);
    worker->stack_size = 0;
    for (uint32_t entry = 0; entry < block->count; entry++) {
        if (worker->stack_size > 0)
            copy(&node, &worker->stack[--worker->stack_size]);
        else
            read_node(&bits, &node);
        check_node(worker, &bits, &node);
        require(bits.next <= bits.length, "a block is malformed");
    }
    require(bits.next == bits.length, "the length of a block is wrong");
    while (worker->stack_size > 0) mark(&worker->stack[--worker->stack_size], AWAITED);
}

static void check_root(struct worker *worker, u64 number) {
    (void)number; /* there is only one */
    bool leaf = root.stones <= leaf_stones;
    if (leaf) require(!wins(worker, &root, !winner), "the claim fails in the claimed position");
    mark(&root, leaf ? NODE | AWAITED : AWAITED);
}

/* ---- Threads ---- */

static _Atomic u64 next_task;
static u64 tasks;
static void (*task)(struct worker *, u64);

static void *work(void *from) {
    struct worker *worker = from;
    for (u64 number; (number = atomic_fetch_add(&next_task, 1)) < tasks;) task(worker, number);
    return NULL;
}

static struct worker *workers;
static int threads = 1;

/* Runs a task for each number below a count. The searches get a stack of their own that is deep enough. */
static void run(void (*what)(struct worker *, u64), u64 count) {
    pthread_t running[MAX_THREADS];
    pthread_attr_t attributes;
    task = what, tasks = count;
    atomic_store(&next_task, 0);
    if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, 64 << 20))
        stop(2, "threads cannot be started");
    for (int at = 0; at < threads; at++)
        if (pthread_create(&running[at], &attributes, work, &workers[at])) stop(2, "threads cannot be started");
    for (int at = 0; at < threads; at++) pthread_join(running[at], NULL);
    pthread_attr_destroy(&attributes);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int count, char **words) {
    double begun = now();
    const char *path = NULL;
    for (int at = 1; at < count; at++) {
        if (!strcmp(words[at], "--threads") && at + 1 < count)
            threads = strtol(words[++at], NULL, 10);
        else if (!path && words[at][0] != '-')
            path = words[at];
        else
            stop(2, "usage: check_proof [--threads N] FILE");
    }
    if (!path || threads < 1 || threads > MAX_THREADS) stop(2, "usage: check_proof [--threads N] FILE");
    draw_keys();
    make_layouts();
    u64 length;
    uint8_t *data = read_file(path, &length);
    read_frame(data, length);

    /* A third of the slots stays free. Results take a gigabyte at most. */
    require(totals[0] < 1ULL << 32 && totals[1] < 1 << 28, "nodes or lemmas are too many");
    node_slots = (1 << 16) + totals[0] + totals[0] / 2;
    nodes = zeros(node_slots * sizeof *nodes);
    buckets = (1 << 16) + totals[0];
    if (buckets > 1 << 24) buckets = 1 << 24;
    results = zeros(4 * buckets * sizeof *results);
    rule_slots = 64 + 4 * totals[1];
    rules = zeros(rule_slots * sizeof *rules);
    lemmas = zeros((1 + totals[1]) * sizeof *lemmas);
    workers = checked(calloc(threads, sizeof *workers));
    for (int at = 0; at < threads; at++) {
        workers[at].arena = zeros(ARENA * sizeof *workers[at].arena);
        workers[at].stack = zeros(STACK * sizeof *workers[at].stack);
    }

    run(read_lemmas, 1);
    read_position();
    run(check_lemma, lemma_count);
    run(check_root, 1);
    run(check_block, block_count);

    u64 listed = 0, missing = 0;
    for (u64 at = 0; at < node_slots; at++) {
        u64 marks = atomic_load_explicit(&nodes[at].high, memory_order_relaxed) & 3;
        listed += marks & NODE;
        missing += marks == AWAITED;
    }
    if (missing) stop(1, "the proof has gaps: %llu positions are not listed", (unsigned long long)missing);
    bool moved = strcmp(header[FIRST], "-");
    printf("accepted: %s wins %s %s with %s to move%s%s (%llu positions, %llu lemmas), %.1f s\n", header[WINNER],
           header[GAME], header[POSITION], header[TO_MOVE], moved ? " by " : "", moved ? header[FIRST] : "",
           (unsigned long long)listed, (unsigned long long)lemma_count, now() - begun);
    return 0;
}
