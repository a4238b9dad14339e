#!/usr/bin/env python3
"""Verifies the chance of a recorded game, by itself: the promise, the seed, and every shuffle, roll and draw.
verify_record.py RECORD [COMMITMENT]    COMMITMENT is what the session showed when it was created
Knows no rules and needs nothing but Python; the format is in docs/record-format.md. Ends with 0 if all is as it
should be, with 1 and the first wrong thing if not, with 2 if it was called wrongly."""
import json, sys

MASK = 0xFFFFFFFF
LABELS = {"roll": 1, "shuffle": 2, "draw": 3, "choice": 3}


class Wrong(Exception):
    """The first thing that is not as it should be."""

def ensure(holds, message):
    if not holds:
        raise Wrong(message)


def words_of(data):
    """Bytes as little-endian words of 32 bits."""
    return [int.from_bytes(data[at:at + 4], "little") for at in range(0, len(data), 4)]

def add(*numbers):
    return sum(numbers) & MASK

def turn(word, bits, left):
    bits = bits if left else 32 - bits
    return (word << bits | word >> (32 - bits)) & MASK


# ---- BLAKE3 of at most 1024 bytes: one chunk, whose blocks are chained

IV = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19]
PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
CHUNK_START, CHUNK_END, ROOT = 1, 2, 8
# The columns of a 4 × 4 table, then its diagonals.
QUARTERS = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
            (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]


def compress(chained, block, length, flags):
    v = chained + IV[:4] + [0, 0, length, flags]
    for _ in range(7):
        for number, (a, b, c, d) in enumerate(QUARTERS):
            for word, (one, other) in zip(block[2 * number:2 * number + 2], ((16, 12), (8, 7))):
                v[a] = add(v[a], v[b], word)
                v[d] = turn(v[d] ^ v[a], one, left=False)
                v[c] = add(v[c], v[d])
                v[b] = turn(v[b] ^ v[c], other, left=False)
        block = [block[at] for at in PERMUTATION]
    return [v[at] ^ v[at + 8] for at in range(8)]

def blake3(data):
    chained, blocks = IV, [data[at:at + 64] for at in range(0, len(data), 64)]
    for number, block in enumerate(blocks):
        flags = CHUNK_START if number == 0 else 0
        flags |= CHUNK_END | ROOT if number == len(blocks) - 1 else 0
        chained = compress(chained, words_of(block.ljust(64, b"\0")), len(block), flags)
    return b"".join(word.to_bytes(4, "little") for word in chained)


# ---- the stream of one random operation: ChaCha with twelve rounds

def chacha12(key, counter, stream):
    start = words_of(b"expand 32-byte k") + words_of(key)
    start += [counter & MASK, counter >> 32, stream & MASK, stream >> 32]
    v = list(start)
    for _ in range(6):
        for a, b, c, d in QUARTERS:
            for one, other in ((16, 12), (8, 7)):
                v[a] = add(v[a], v[b])
                v[d] = turn(v[d] ^ v[a], one, left=True)
                v[c] = add(v[c], v[d])
                v[b] = turn(v[b] ^ v[c], other, left=True)
    return [add(one, other) for one, other in zip(v, start)]


class Stream:
    """The numbers of one operation, named by its kind and by how many operations came before it."""

    def __init__(self, seed, kind, number):
        self.seed, self.stream = seed, LABELS[kind] << 48 | number
        self.block, self.words = 0, []

    def below(self, n):
        """A number in 0..n; numbers beyond the last whole multiple of n are passed over."""
        if n < 2:
            return 0
        while True:
            if not self.words:
                self.words = chacha12(self.seed, self.block, self.stream)
                self.block += 1
            number = self.words.pop(0)
            if number < (1 << 32) // n * n:
                return number % n


# ---- the parts of a record

def bytes_of(text, what):
    try:
        ensure(len(text) == 64, "")
        return bytes.fromhex(text)
    except (TypeError, ValueError, Wrong):
        raise Wrong(f"{what} is not 64 hexadecimal digits") from None


def verify_seed(record, promised):
    """The seed, which has to follow from what was promised."""
    ensure(record.get("format") == 1, "the format is not 1")
    ensure(record.get("seed"), "the seed is secret still: the game is not over")
    seed, fairness = bytes_of(record["seed"], "the seed"), record.get("fairness")
    if fairness is None:
        ensure(promised is None, "the record tells of no commitment")
        return seed
    secret, commitment = bytes_of(fairness["secret"], "the secret"), fairness["commitment"]
    ensure(promised in (None, commitment), "the commitment is not the one that was published")
    ensure(blake3(secret).hex() == commitment, "the hash of the secret is not the commitment")
    mixture, last = b"wyrmgate 1 seed" + secret, 0
    for brought in fairness.get("entropy", []):
        ensure(last < brought["seat"] <= record["seats"], "the entropy is not in the order of the seats")
        last = brought["seat"]
        mixture += bytes([last]) + bytes_of(brought["value"], f"the entropy of seat {last}")
    mixed = blake3(mixture) if last else secret
    ensure(seed == mixed, "the seed does not follow from the secret and the entropy")
    return seed


def verify_shuffle(stream, told):
    order = list(told["before"])
    for last in range(len(order) - 1, 0, -1):
        other = stream.below(last + 1)
        order[last], order[other] = order[other], order[last]
    ensure(order == told["order"], f"the seed shuffles {told['zone']} into another order: {order}")


def verify_roll(stream, told):
    for die in told:
        face = die["faces"][stream.below(len(die["faces"]))]
        ensure(face == die["face"], f"the seed rolls {face} with {die['die']}, not {die['face']}")


def verify_draw(stream, told):
    rest = list(told["from"])
    for value in told["drawn"]:
        drawn = rest.pop(stream.below(len(rest)))
        ensure(drawn == value, f"the seed draws {drawn}, not {value}")


def verify_choice(stream, told):
    number = stream.below(told["of"])
    ensure(number == told["number"], f"the seed takes choice {number}, not {told['number']}")

VERIFY = {"shuffle": verify_shuffle, "roll": verify_roll, "draw": verify_draw, "choice": verify_choice}


def verify_chance(record, seed):
    """Every operation in order; answers how many of each kind there are."""
    counts, next_number, after = {}, 0, 0
    ensure("chance" in record, "the record does not tell what chance has brought")
    for operation in record["chance"]:
        number = operation["number"]
        where = f"random operation {number}, after choice {operation['after']}"
        ensure(number >= next_number, f"{where}: its number was there before")
        ensure(after <= operation["after"] <= len(record["log"]), f"{where}: it is out of order")
        next_number, after = number + 1, operation["after"]
        ((kind, told),) = operation["result"].items()
        try:
            VERIFY[kind](Stream(seed, kind, number), told)
        except Wrong as wrong:
            raise Wrong(f"{where}: {wrong}") from None
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            record = json.load(file)
        seed = verify_seed(record, arguments[1] if len(arguments) == 2 else None)
        counts = verify_chance(record, seed)
    except Wrong as wrong:
        print(f"{arguments[0]}: {wrong}")
        return 1
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        print(f"{arguments[0]}: this is no record: {type(error).__name__}: {error}")
        return 1
    told = ", ".join(f"{count} × {kind}" for kind, count in sorted(counts.items())) or "no chance in it"
    fairness = "as promised" if record.get("fairness") else "promised by nobody"
    end = (record.get("outcome") or {"reason": "not yet"}).get("reason", "rules")
    print(f"{arguments[0]}: good; the seed is {fairness}; {told}; ended: {end}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
