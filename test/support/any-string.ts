import fc from 'fast-check'

/**
 * Any code points, lone surrogates included, up to `maxLength`. Like `fc.string({ unit: 'binary' })`, without the three
 * seconds that its table of all code points takes.
 */
export function anyString(maxLength = 10): fc.Arbitrary<string> {
  const point = fc.oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0xffff }), fc.nat({ max: 0x10ffff }))
  return fc.array(point, { maxLength }).map((points) => String.fromCodePoint(...points))
}
