import { describe, expect, test } from 'vitest'
import { compareThree, type MergeChoice, mergedText } from '#app/components/comparing/merge.ts'

// Texts are written as words; each word is a line.

const lines = (text: string) => text.split(' ').join('\n')
const merge = (mine: string, base: string, theirs: string, choices: [number, MergeChoice][] = []) =>
  mergedText(compareThree(lines(mine), lines(base), lines(theirs)), new Map(choices))
    .split('\n')
    .join(' ')
const kinds = (mine: string, base: string, theirs: string) =>
  compareThree(lines(mine), lines(base), lines(theirs)).map(({ kind }) => kind)

describe('a merge without conflicts', () => {
  test.each([
    ['no change', 'a b c', 'a b c', 'a b c', 'a b c'],
    ['my change', 'a X c', 'a b c', 'a b c', 'a X c'],
    ['their change', 'a b c', 'a b c', 'a X c', 'a X c'],
    ['changes at both ends', 'X b c', 'a b c', 'a b Y', 'X b Y'],
    ['my addition and their removal', 'a b c d X', 'a b c d', 'b c d', 'b c d X'],
    ['both additions at different places', 'X a b', 'a b', 'a b Y', 'X a b Y'],
    ['the same change of both', 'a X c', 'a b c', 'a X c', 'a X c'],
    ['the same removal of both', 'a c', 'a b c', 'a c', 'a c'],
    ['my removal of everything but one line', 'b', 'a b c', 'a b c', 'b'],
  ])('%s', (_, mine, base, theirs, merged) => {
    expect(kinds(mine, base, theirs)).not.toContain('conflict')
    expect(merge(mine, base, theirs)).toBe(merged)
    // Merging is symmetric where nobody has to choose.
    expect(merge(theirs, base, mine)).toBe(merged)
  })
})

describe('a conflict', () => {
  test('has the lines of both sides and of the common version', () => {
    const parts = compareThree(lines('a X c'), lines('a b c'), lines('a Y c'))
    expect(parts).toEqual([
      { kind: 'same', text: ['a'], base: [] },
      { kind: 'conflict', mine: ['X'], theirs: ['Y'], base: ['b'] },
      { kind: 'same', text: ['c'], base: [] },
    ])
  })

  test.each([
    ['different lines at one place', 'a X c', 'a b c', 'a Y c'],
    ['my change of a line that they removed', 'a X c', 'a b c', 'a c'],
    ['both additions at one place', 'a b X', 'a b', 'a b Y'],
    ['texts without a common line', 'X', 'a', 'Y'],
    ['two first versions', 'X', '', 'Y'],
  ])('arises from %s', (_, mine, base, theirs) => {
    expect(kinds(mine, base, theirs)).toContain('conflict')
  })

  test.each([
    ['mine', 'a X c'],
    ['theirs', 'a Y c'],
    ['both', 'a Y X c'],
  ] as const)('takes %s when chosen', (choice, merged) => {
    expect(merge('a X c', 'a b c', 'a Y c', [[1, choice]])).toBe(merged)
  })

  test('is chosen apart from other conflicts, by its place among the parts', () => {
    const [mine, base, theirs] = ['X1 k X2', 'a k b', 'Y1 k Y2']
    expect(kinds(mine, base, theirs)).toEqual(['conflict', 'same', 'conflict'])
    const choices: [number, MergeChoice][] = [
      [0, 'theirs'],
      [2, 'mine'],
    ]
    expect(merge(mine, base, theirs, choices)).toBe('Y1 k X2')
  })

  test('keeps a change beside it', () => {
    expect(merge('N a k X', 'a k b', 'a k Y', [[3, 'theirs']])).toContain('N a k')
    expect(kinds('N a k X', 'a k b', 'a k Y').at(-1)).toBe('conflict')
  })
})

test('a last line without an end keeps its form', () => {
  expect(mergedText(compareThree('a\nb\n', 'a\nb', 'a\nb'), new Map())).toBe('a\nb\n')
  expect(mergedText(compareThree('', '', ''), new Map())).toBe('')
})
