# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""prepare.py SLEEF OUT: from SLEEF's sources to what functions.c includes. SLEEF 3.3 returns 0 for the sine of arguments beyond 1e299, since
the table of its argument reduction runs into subnormals. Here the table's entries for large exponents are scaled by 2^64, and the argument
by 2^-64; the cut at 1e299 goes."""
import fractions
import pathlib
import sys

BITS = 1400  # of 1/(2 pi): 1024 for the exponent, four doubles, and some to round
SCALED_FROM = 700  # first entry that is scaled
ENTRIES = 970  # exponents 55 to 1024; the last is that of infinity and NaN


def arctan_inverse(n, one):
    """arctan(1/n) in units of 1/one."""
    term = total = one // n
    k, sign = 3, -1
    while term:
        term //= n * n
        total += sign * (term // k)
        k, sign = k + 2, -sign
    return total


def inverse_two_pi():
    """1/(2 pi) in units of 2^-BITS, by Machin's formula."""
    guard = 64
    one = 1 << (BITS + guard)
    pi = 4 * (4 * arctan_inverse(5, one) - arctan_inverse(239, one))
    return (one * one // (2 * pi)) >> guard


def cut(number):
    """The leading 52 bits of `number`, so that the product with the lower half of a double is exact."""
    if number == 0:
        return 0.0
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    unit = fractions.Fraction(2) ** (exponent - 51)
    return float(number // unit * unit)


def turn_table():
    """For each exponent of the last bit of an f32, 0 to 105, 2/pi without the bits that give whole turns: two parts of 29 bits and the rest.
    The last entry is that of infinity and NaN."""
    inverse = fractions.Fraction(4 * inverse_two_pi(), 1 << BITS)
    for exponent in range(106):
        top = fractions.Fraction(1 << 2, 1 << exponent)  # quarters of a turn that are a whole one, for the last bit
        rest = inverse % top
        first = rest // (top / 2**29) * (top / 2**29)
        second = (rest - first) // (top / 2**58) * (top / 2**58)
        yield [float(first), float(second), float(rest - first - second)]


def table():
    """For each exponent the fraction of 1/(2 pi) that is no whole turn, as the sum of four doubles."""
    inverse = inverse_two_pi()
    for entry in range(ENTRIES):
        rest = fractions.Fraction(inverse % (1 << (BITS - entry - 2)), 1 << BITS)
        if entry > SCALED_FROM:
            rest *= 1 << 64
        parts = []
        for _ in range(4):
            parts.append(cut(rest))
            rest -= fractions.Fraction(parts[-1])
        yield parts


def replaced(text, old, new, count):
    if text.count(old) != count:
        sys.exit(f"prepare.py: sleefdp.c has `{old}` {text.count(old)} times, not {count}: another version of SLEEF?")
    return text.replace(old, new)


def main():
    source, out = map(pathlib.Path, sys.argv[1:])
    text = (source / "src/libm/sleefdp.c").read_text(encoding="utf-8")
    start = "  int ex = ilogb2k(a) - 55, q;\n"
    text = replaced(text, start, start + f"  if (ex > {SCALED_FROM}) a *= 0x1p-64;\n", 1)
    text = replaced(text, "extern const double rempitabdp[];", "", 1)
    text = text.replace("> 1e+299) s = 0", "> SLEEF_INFINITY) s = 0")
    for cut in ("fabsk(t) > 1e+299 && !xisinf(t)", "fabsk(d) > 1e+299 && !xisinf(d)", "!xisinf(t) && fabsk(t) > 1e+299", "!xisinf(d) && d > 1e+299"):
        text = replaced(text, cut, "0", 1)
    (out / "sleefdp.c").write_text(text, encoding="utf-8")
    tables = {"rempitabdp": table(), "turnTable": turn_table()}
    text = "".join(f"static const double {name}[] = {{\n" + ",\n".join(", ".join(part.hex() for part in parts) for parts in rows) + "};\n"
                   for name, rows in tables.items())
    (out / "tables.h").write_text(text, encoding="utf-8")


main()
