/* The theorems about printed ends: the hexadecimal text of a number is equal to it; a double that bounds a number from
 * above has a decimal text that does. number_text_double prints by number_text_decimal, as the reports print the ends.
 *
 * No program calls these functions: the reports print each in its own place. */
#include "report/number_text.h"

#include "arithmetic/double.acsl"

/*@ predicate text_room(char *buf) = \valid(buf + (0 .. NUMBER_TEXT_SIZE - 1));
    predicate hex_text_equal{L}(char *buf, real x) = \exists integer to; 0 <= to < NUMBER_TEXT_SIZE && buf[to] == 0 &&
      hex_text_of(buf, 0, to, x); */

/*@ requires valid: text_room(buf) && \valid_read(x);
    requires live: initialised(x);
    requires separated: \separated(x, buf + (0 .. NUMBER_TEXT_SIZE - 1));
    requires precision: 1 <= precision(x) <= 53;
    terminates \true;
    assigns buf[0 .. NUMBER_TEXT_SIZE - 1], mpfr_lives;
    ensures exact: number(x) ==> hex_text_equal(buf, value(x)); */
void hex_digits_theorem(char *buf, mpfr_srcptr x) {
  number_text_hex(buf, x);
}

/*@ requires valid: text_room(buf);
    requires bound: finite_double(x);
    terminates \true;
    assigns buf[0 .. NUMBER_TEXT_SIZE - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures high: \forall real s; s <= x ==> \exists integer to; 0 <= to < NUMBER_TEXT_SIZE && buf[to] == 0 &&
      s <= decimal_text_value(buf, 0, 17, to); */
void double_digits_theorem(char *buf, double x) {
  number_text_double(buf, x, NUMBER_TEXT_DIGITS, MPFR_RNDU);
}

/*@ requires valid: text_room(buf) && \valid_read(x);
    requires live: initialised(x);
    requires separated: \separated(x, buf + (0 .. NUMBER_TEXT_SIZE - 1));
    requires bound: number(x);
    terminates \true;
    assigns buf[0 .. NUMBER_TEXT_SIZE - 1], mpfr_lives;
    ensures high: \forall real s; s <= value(x) ==> \exists integer to, n; 0 <= to < NUMBER_TEXT_SIZE && buf[to] == 0 &&
      s <= decimal_text_value(buf, 0, n, to); */
void end_digits_theorem(char *buf, mpfr_srcptr x) {
  number_text_end(buf, x, MPFR_RNDU);
}
