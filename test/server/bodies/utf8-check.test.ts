import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createUtf8Check } from '#server/bodies/utf8-check.ts'
import { SEED } from '#test/support/seed.ts'

const character = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 3 }), fc.constantFrom('é', '€', '😀', '\uffff'))
const text = fc.array(character, { maxLength: 12 }).map((parts) => Buffer.from(parts.join('').toWellFormed()))
/** Bytes that begin or continue characters, and others that none may have. */
const byte = fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc3, 0xe2, 0xed, 0xa0, 0xf0, 0x9f, 0xf4, 0x90, 0xf8, 0xff)
const wild = fc.array(byte, { maxLength: 10 }).map((bytes) => Buffer.from(bytes))

test('bytes in any pieces are UTF-8 if they are as a whole', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(text, wild), { maxLength: 4 }), fc.array(fc.nat({ max: 5 })), (parts, sizes) => {
      const bytes = Buffer.concat(parts)
      const check = createUtf8Check()
      let at = 0
      for (const size of sizes) {
        check.add(bytes.subarray(at, at + size))
        at += size
      }
      check.add(bytes.subarray(at))
      expect(check.isValid()).toBe(isUtf8(bytes))
    }),
    { numRuns: 1_000, seed: SEED },
  )
})
