import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'

// The dashboard has its colours, radius, sizes and weights of text from app/tokens.css. Each rule lists the places that
// have their own.

const TOKENS = 'app/tokens.css'
const FILES = globSync(['app/**/*.{css,ts,tsx}'], { cwd: ROOT })
  .filter((file) => file !== TOKENS)
  .sort()
  .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n') }))

/** Returns the lines in which the pattern captures a value that is not allowed. */
function placesOf(pattern: RegExp, isAllowed: (value: string) => boolean = () => false): string[] {
  return FILES.flatMap(({ file, lines }) =>
    lines.flatMap((line, index) =>
      [...line.matchAll(pattern)].flatMap(([match, value = match]) =>
        isAllowed(value) ? [] : [`${file}:${index + 1} ${match.trim()}`],
      ),
    ),
  )
}

const takesToken = (value: string) => value.includes('var(--') || /^(inherit|0|none|50%)$/.test(value)

describe('what only the tokens say', () => {
  test('colours', () => {
    const codes = /(?<=[\s:'"`(,])#[0-9a-f]{3,8}(?=[\s;'"`),])/gi
    expect(placesOf(codes)).toEqual([])
    expect(placesOf(/\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(/g)).toEqual([])
    const named =
      /^\s*(?:color|background|background-color|border[\w-]*|outline|fill|stroke|box-shadow): [^'"]*(?<![\w-])(?:white|black|red|green|blue|gray|grey|orange|yellow)\b[^'"]*;$/g
    expect(placesOf(named)).toEqual([])
  })

  test('radius', () => {
    expect(placesOf(/\bborder-(?:[a-z]+-){0,2}radius: ([^;]+);/g, takesToken)).toEqual([])
    expect(placesOf(/\bborderRadius: ?['"`]?([^,'"`}]+)/g, takesToken)).toEqual([])
    expect(placesOf(/<[A-Z][\w.]*[^>]*\sradius=(\S+)/g)).toEqual([])
  })

  test('sizes of text', () => {
    expect(placesOf(/\bfont-size: ([^;]+);/g, takesToken)).toEqual([])
    expect(placesOf(/\bfontSize(?:=|: ?)['"`{]?([^,'"`}\s]+)/g, takesToken)).toEqual([])
    expect(placesOf(/\sfz=("[^"]*"|\{[^}]*\})/g, (value) => /^("(xs|sm|md|lg|xl)"|\{[a-z]\w*\})$/.test(value))).toEqual(
      [],
    )
  })

  test('weights of text: two', () => {
    const isOfTwo = (value: string) => /^(400|600|inherit|var\(--weight(-strong)?\))$/.test(value)
    expect(placesOf(/\bfont-weight: ([^;]+);/g, (value) => /^(inherit|var\(--weight)/.test(value))).toEqual([])
    expect(placesOf(/\bfontWeight(?:=|: ?)['"`{]?([^,'"`}]+)/g, isOfTwo)).toEqual([])
    expect(placesOf(/\sfw=\{([^}]*)\}/g, (value) => !/\b(?!400\b|600\b)\d{3}\b/.test(value))).toEqual([])
  })

  test('every token that a file names exists', () => {
    const known = new Set(readFileSync(join(ROOT, TOKENS), 'utf8').match(/--[\w-]+(?=:)/g))
    // Those that a file sets itself. The table numbers the labels of its columns.
    const own = FILES.flatMap(({ lines }) => lines.flatMap((line) => line.match(/--[\w-]+(?=["'`]?\]?:)/g) ?? []))
    const isKnown = (name: string) => known.has(name) || own.includes(name) || /^--(mantine-|label-\d)/.test(name)
    expect(placesOf(/var\((--[\w-]+)/g, isKnown)).toEqual([])
  })

  test('no size is below twelve pixels, and spacing goes by four', () => {
    const text = readFileSync(join(ROOT, TOKENS), 'utf8')
    const sizes = [...text.matchAll(/--font-[a-z]+: ([\d.]+)rem/g)].map(([, rem]) => Number(rem) * 16)
    const spaces = [...text.matchAll(/--space-\d+: (\d+)px/g)].map(([, px]) => Number(px))
    expect(Math.min(...sizes)).toBe(12)
    expect(spaces.filter((px) => px % 4 !== 0)).toEqual([])
    expect(spaces.length).toBeGreaterThan(3)
    expect([...text.matchAll(/--weight[\w-]*: (\d+)/g)].map(([, weight]) => weight)).toEqual(['400', '600'])
    expect([...text.matchAll(/--radius[\w-]*:/g)]).toHaveLength(1)
  })

  test('texts have a contrast of 4.5 to 1 on every level of both colour schemes', () => {
    const found = readFileSync(join(ROOT, TOKENS), 'utf8').matchAll(
      /--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g,
    )
    const tokens = new Map(
      [...found].map(([, name, light, dark, both]) => [
        name as string,
        [light ?? both, dark ?? both] as [string, string],
      ]),
    )
    const names = [...tokens.keys()]
    const levels = ['sunken', 'page', 'panel', 'raised', 'popover', 'hover']
    const soft = names.filter((name) => name.endsWith('-soft'))
    const pairs = [
      ...['text', 'text-quiet'].flatMap((text) => [...levels, ...soft].map((under) => [text, under])),
      ...names
        .filter((name) => name.endsWith('-text'))
        .flatMap((text) => [...levels, text.replace('-text', '-soft')].map((under) => [text, under])),
      ...names
        .filter((name) => /^code-(?!selection|match)/.test(name))
        .flatMap((text) => ['panel', 'sunken', 'code-selection'].map((under) => [text, under])),
      ...['accent', 'accent-hover', 'danger', 'danger-hover'].map((under) => ['on-accent', under]),
    ]
    const contrast = (text: string, under: string, scheme: 0 | 1) => {
      const [a, b] = [text, under].map((name) => luminance(tokens.get(name)?.[scheme] ?? ''))
      const [low, high] = [Math.min(a ?? 0, b ?? 0), Math.max(a ?? 0, b ?? 0)]
      return (high + 0.05) / (low + 0.05)
    }
    const low = pairs.flatMap(([text = '', under = '']) =>
      ([0, 1] as const).flatMap((scheme) =>
        contrast(text, under, scheme) < 4.5 ? [`${text} on ${under}, ${['light', 'dark'][scheme]}`] : [],
      ),
    )
    expect(pairs.length).toBeGreaterThan(80)
    expect(low).toEqual([])
  })

  test('space within and between things', () => {
    const own = /^\s*(?:padding|margin|gap|row-gap|column-gap)(?:-[a-z]+)*: ([^;]+);/g
    // A line's width, and what is measured from another thing.
    const byFour = (value: string) =>
      value.includes('calc(') ||
      [...value.matchAll(/([\d.]+)px/g)].every(([, px]) => Number(px) <= 2 || Number(px) % 4 === 0)
    expect(placesOf(own, byFour)).toEqual([])
  })
})

/** Returns the relative luminance of a colour such as `#0c6544`, as WCAG defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
