import { expect, test } from 'vitest'
import { csvOf } from '#server/schemas/results/csv-text.ts'

test('texts are quoted, numbers are not, and null is an empty field', () => {
  expect(
    csvOf([
      ['start (UTC)', 'p95 (ms)'],
      ['2026-11-20T00:00:00.000Z', 12.5],
      ['say "hi", twice', null],
    ]),
  ).toBe('"start (UTC)","p95 (ms)"\r\n"2026-11-20T00:00:00.000Z",12.5\r\n"say ""hi"", twice",\r\n')
})

test('a text that a spreadsheet would take for a formula is inert', () => {
  const texts = ['=1+1', '+1', '-1', '@sum(a1)', '\t=1', '\r=1']
  expect(csvOf([texts])).toBe(`${texts.map((text) => `"'${text}"`).join(',')}\r\n`)
})
