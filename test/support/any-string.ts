import fc from 'fast-check'

/**
 * Any code points, lone surrogates among them, up to `maxLength`. What `fc.string({ unit: 'binary' })` makes, without the
 * three seconds that its table of all of them takes.
 */
export function anyString(maxLength = 10): fc.Arbitrary<string> {
  const point = fc.oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0xffff }), fc.nat({ max: 0x10ffff }))
  return fc.array(point, { maxLength }).map((points) => String.fromCodePoint(...points))
}
