"""Exact designs: tables in which every pair of bots meets exactly once, for the sizes where they
are known. 2-(v, k, 1) designs with v bots and tables of k:

- every v that is a prime power squared k², in k + 1 rounds without sit-outs (affine planes);
- v = k² − k + 1 where k − 1 is a prime power (projective planes);
- tables of 3: every v ≡ 1 or 3 (mod 6) (Bose 1939, Skolem 1958);
- tables of 4 and 5: cyclic difference families, found by search; the tests prove them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

Blocks = list[tuple[int, ...]]

# Powers of primes that are not primes: (prime, coefficients of x^n = ... , lowest first).
_FIELDS = {4: (2, (1, 1)), 8: (2, (1, 1, 0)), 9: (3, (1, 2))}
_PRIMES = frozenset({2, 3, 5, 7, 11, 13})

# (table size, bots) → base blocks, to be shifted by every residue.
_FAMILIES: dict[tuple[int, int], Blocks] = {
    (4, 37): [(0, 1, 14, 35), (0, 4, 9, 15), (0, 7, 19, 27)],
    (4, 49): [(0, 1, 3, 21), (0, 4, 12, 34), (0, 5, 16, 40), (0, 6, 32, 42)],
    (4, 61): [(0, 1, 14, 30), (0, 2, 6, 23), (0, 3, 12, 53), (0, 5, 27, 42), (0, 7, 25, 35)],
    (4, 73): [
        (0, 1, 25, 33), (0, 2, 6, 45), (0, 3, 20, 55), (0, 5, 16, 31), (0, 7, 19, 29),
        (0, 9, 46, 59),
    ],
    (4, 85): [
        (0, 1, 9, 52), (0, 2, 12, 56), (0, 3, 14, 18), (0, 5, 25, 64), (0, 6, 36, 63),
        (0, 7, 24, 47), (0, 13, 32, 48),
    ],
    (4, 97): [
        (0, 1, 15, 63), (0, 2, 25, 28), (0, 4, 58, 85), (0, 5, 38, 91), (0, 7, 20, 37),
        (0, 8, 55, 73), (0, 9, 45, 66), (0, 10, 56, 78),
    ],
    (5, 41): [(0, 1, 4, 11, 29), (0, 2, 8, 17, 22)],
    (5, 61): [(0, 1, 24, 40, 52), (0, 2, 7, 36, 55), (0, 3, 14, 18, 44)],
    (5, 81): [(0, 1, 38, 68, 77), (0, 2, 20, 28, 60), (0, 3, 10, 34, 69), (0, 6, 17, 33, 62)],
}  # fmt: skip


def design(bots: int, size: int) -> Blocks | None:
    """Tables of the numbers 0 to bots − 1 in which every pair meets once; None when this module
    knows none."""
    if bots == size:
        return [tuple(range(size))]
    if bots == size * size and _is_field(size):
        return [block for rounds in parallel_rounds(size) for block in rounds]
    if bots == size * size - size + 1 and _is_field(size - 1):
        return _projective(size - 1)
    if size == 3 and bots % 6 in (1, 3) and bots > 3:
        return _bose(bots) if bots % 6 == 3 else _skolem(bots)
    if (size, bots) in _FAMILIES:
        return sorted(
            tuple(sorted((base + shift) % bots for base in block))
            for block in _FAMILIES[size, bots]
            for shift in range(bots)
        )
    return None


def parallel_rounds(size: int) -> list[Blocks]:
    """The design of size² bots as size + 1 rounds in which everybody plays. ValueError where there
    is no field of that size here."""
    if not _is_field(size):
        raise ValueError(f"no field of {size} elements is known here")
    plus, times = _field(size)
    elements = range(size)
    slopes = [
        [tuple(sorted(x * size + plus(times(m, x), b) for x in elements)) for b in elements]
        for m in elements
    ]
    return [*slopes, [tuple(x * size + y for y in elements) for x in elements]]


def _is_field(order: int) -> bool:
    return order in _PRIMES or order in _FIELDS


Operation = Callable[[int, int], int]


def _field(order: int) -> tuple[Operation, Operation]:
    """Addition and multiplication of the field with `order` elements, numbered from 0."""
    if order in _PRIMES:
        return (lambda a, b: (a + b) % order), (lambda a, b: a * b % order)
    prime, reduction = _FIELDS[order]
    degree = len(reduction)

    def digits(value: int) -> list[int]:
        return [value // prime**power % prime for power in range(degree)]

    def number(coefficients: list[int]) -> int:
        return sum(digit * prime**power for power, digit in enumerate(coefficients))

    def plus(one: int, other: int) -> int:
        pairs = zip(digits(one), digits(other), strict=True)
        return number([(a + b) % prime for a, b in pairs])

    def times(one: int, other: int) -> int:
        product_ = [0] * (2 * degree - 1)
        for (i, a), (j, b) in product(enumerate(digits(one)), enumerate(digits(other))):
            product_[i + j] = (product_[i + j] + a * b) % prime
        for power in range(2 * degree - 2, degree - 1, -1):
            for low, digit in enumerate(reduction):
                place = power - degree + low
                product_[place] = (product_[place] + product_[power] * digit) % prime
        return number(product_[:degree])

    return plus, times


def _projective(order: int) -> Blocks:
    """The lines of the projective plane: a point is on a line when their product is 0."""
    plus, times = _field(order)
    elements = range(order)
    points = [(1, a, b) for a in elements for b in elements] + [(0, 1, a) for a in elements]
    points.append((0, 0, 1))

    def on(point: tuple[int, ...], line: tuple[int, ...]) -> bool:
        total = 0
        for a, b in zip(point, line, strict=True):
            total = plus(total, times(a, b))
        return total == 0

    return sorted(tuple(i for i, point in enumerate(points) if on(point, line)) for line in points)


def _bose(bots: int) -> Blocks:
    """Triples for bots = 6n + 3: (x, 0), (x, 1), (x, 2), and (x, i), (y, i), (x∘y, i + 1)."""
    width = bots // 3
    half = (width + 1) // 2
    blocks: Blocks = [(x, x + width, x + 2 * width) for x in range(width)]
    for x in range(width):
        for y in range(x + 1, width):
            z = (x + y) * half % width
            for level in range(3):
                third = z + (level + 1) % 3 * width
                blocks.append((x + level * width, y + level * width, third))
    return sorted(tuple(sorted(block)) for block in blocks)


def _skolem(bots: int) -> Blocks:
    """Triples for bots = 6n + 1, from a half-idempotent quasigroup of 2n elements; the last bot is
    the point at infinity."""
    n = bots // 6
    width = 2 * n
    infinity = bots - 1

    def circle(x: int, y: int) -> int:
        total = (x + y) % width
        return total // 2 if total % 2 == 0 else (total - 1) // 2 + n

    blocks: Blocks = [(x, x + width, x + 2 * width) for x in range(n)]
    for x in range(n):
        for level in range(3):
            above = x + (level + 1) % 3 * width
            blocks.append((infinity, x + n + level * width, above))
    for x in range(width):
        for y in range(x + 1, width):
            for level in range(3):
                third = circle(x, y) + (level + 1) % 3 * width
                blocks.append((x + level * width, y + level * width, third))
    return sorted(tuple(sorted(block)) for block in blocks)
