# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""prepare.py SLEEF OUT: from SLEEF's sources to what functions.c includes. SLEEF 3.3 returns 0 for the sine of arguments beyond 1e299, since
the table of its argument reduction runs into subnormals. Here the table's entries for large exponents are scaled by 2^64, and the argument
by 2^-64; the cut at 1e299 goes. Two more tables are for functions of our own: f32 angles, and ln_gamma near its zeros."""
import decimal
import fractions
import math
import pathlib
import sys

BITS = 1400  # of 1/(2 pi): 1024 for the exponent, four doubles, and some to round
SCALED_FROM = 700  # first entry that is scaled
GAMMA_DEGREE = 30
SHIFT = 60  # from where Stirling's series is precise
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


def bernoulli(count):
    """B2, B4, …, `count` of them."""
    numbers = [fractions.Fraction(1)]
    for n in range(1, 2 * count + 1):
        numbers.append(-sum(math.comb(n + 1, k) * numbers[k] for k in range(n)) / (n + 1))
    return numbers[2::2]


def log_gamma_series(x, degree, correction):
    """Coefficients in d of ln|gamma(x + d)| to `degree`: Stirling's series at x + SHIFT, less the logarithms of the factors between."""
    y = x + SHIFT
    pi = 1 / (2 * decimal.Decimal(inverse_two_pi()) / (1 << BITS))
    series = [(y - decimal.Decimal("0.5")) * y.ln() - y + (2 * pi).ln() / 2, y.ln() - 1 / (2 * y)]
    for m in range(2, degree + 1):  # derivatives of (y - 1/2) ln y, over m!
        series.append((-1) ** m * (1 / (m * (m - 1) * y ** (m - 1)) + 1 / (2 * m * y**m)))
    for k, number in enumerate(correction, 1):
        factor = decimal.Decimal(number.numerator) / number.denominator / (2 * k * (2 * k - 1))
        for m in range(degree + 1):
            series[m] += factor * (-1) ** m * math.comb(2 * k - 2 + m, m) / y ** (2 * k - 1 + m)
    for j in range(SHIFT):
        term = x + j
        series[0] -= abs(term).ln()
        for m in range(1, degree + 1):
            series[m] += (-1) ** m / (m * term**m)
    return series


def gamma_zero_table():
    """The zeros of ln|gamma| between -18 and -2, two between each pair of poles: the zero as a sum of two doubles, how far the series there is used
    (where the logarithm is below 1/8), what turns the distance from the zero into a number of at most 1, and the coefficients for that,
    the first as a sum of two doubles."""
    decimal.getcontext().prec = 80
    correction = bernoulli(30)
    for pole in range(2, 18):
        for near, side in ((pole, -1), (pole + 1, 1)):
            # Near a pole -n the gamma function is 1/(n! d); the first zeros are not that near.
            start = {(2, -1): "-2.457", (3, 1): "-2.748"}.get((near, side))
            zero = decimal.Decimal(start) if start else -near + side * 1 / decimal.Decimal(math.factorial(near))
            for _ in range(6):
                value, slope = log_gamma_series(zero, 1, correction)
                zero -= value / slope
            series = log_gamma_series(zero, GAMMA_DEGREE, correction)
            high = float(zero)
            width = float(abs(1 / (8 * series[1])))
            unit = decimal.Decimal(2) ** math.ceil(math.log2(width))
            yield [high, float(zero - decimal.Decimal(high)), width, float(1 / unit), float(series[1]), float(series[1] - decimal.Decimal(float(series[1]))),
                   *(float(c * unit**m) for m, c in enumerate(series[2:], 1))]


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
    tables = {"rempitabdp": table(), "turnTable": turn_table(), "gammaZeros": gamma_zero_table()}
    text = "".join(f"static const double {name}[] = {{\n" + ",\n".join(", ".join(part.hex() for part in parts) for parts in rows) + "};\n"
                   for name, rows in tables.items())
    (out / "tables.h").write_text(text, encoding="utf-8")


main()
