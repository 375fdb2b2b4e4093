import { describe, expect, test } from 'vitest'
import { parseSearch, SEARCH_WORDS_MAX, type SearchTerms } from '#server/schemas/status/search-terms.ts'
import { countsText, NO_SERVICES, worstState } from '#server/schemas/status/states.ts'

const NOTHING: SearchTerms = {
  words: [],
  states: [],
  labels: [],
  agents: [],
  workspaces: [],
  projects: [],
  hosts: [],
  problems: [],
}

const UNKNOWN = (name: string) => `“${name}:” is unknown. Use state, label, agent, host, workspace or project.`

describe('a search', () => {
  const table: [string, Partial<SearchTerms>][] = [
    ['', {}],
    ['   ', {}],
    ['Check Out', { words: ['check', 'out'] }],
    ['"check  out" x', { words: ['check  out', 'x'] }],
    ['check check', { words: ['check'] }],
    ['host:Shop.example localhost:8080', { hosts: ['shop.example'], words: ['localhost:8080'] }],
    ['label:critical state:failing', { labels: ['critical'], states: ['failing'] }],
    ['STATE:Failing Label:Critical', { labels: ['critical'], states: ['failing'] }],
    ['state:failing state:degraded state:failing', { states: ['failing', 'degraded'] }],
    [
      'agent:eu text project:"Check out" workspace:shop',
      { agents: ['eu'], words: ['text'], projects: ['check out'], workspaces: ['shop'] },
    ],
    ['label:"very critical', { labels: ['very critical'] }],
    ['"unfinished text', { words: ['unfinished text'] }],
    ['state:red', { problems: ['“state:red” is unknown. Use failing, degraded, unknown, passing, pending, paused.'] }],
    ['colour:red api', { words: ['api'], problems: [UNKNOWN('colour')] }],
    ['toString:x __proto__', { words: ['__proto__'], problems: [UNKNOWN('tostring')] }],
    ['label: api', { words: ['api'], problems: ['“label:” needs a value.'] }],
    ['label:', { problems: ['“label:” needs a value.'] }],
    ['https://shop.example/cart', { words: ['https://shop.example/cart'] }],
    ['10:30 100% a_b', { words: ['10:30', '100%', 'a_b'] }],
    ['v1.api:8080', { words: ['v1.api:8080'] }],
    [
      'a b c d e f g h i j',
      {
        words: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
        problems: [`Only the first ${SEARCH_WORDS_MAX} words are used.`],
      },
    ],
  ]
  test.each(table)('%s', (text, terms) => {
    expect(parseSearch(text)).toEqual({ ...NOTHING, ...terms })
  })

  test('of any length takes no longer', () => {
    const { words } = parseSearch(`${'a"'.repeat(50_000)} tail`)
    expect(words.join(' ')).not.toContain('tail')
  })
})

describe('counts of states', () => {
  test.each([
    [{}, null, 'No services'],
    [{ failing: 3, passing: 5 }, 'failing', '3 of 8 failing'],
    [{ degraded: 1, paused: 1 }, 'degraded', '1 of 2 degraded'],
    [{ passing: 8 }, 'passing', '8 passing'],
    [{ passing: 8, paused: 2 }, 'passing', '8 of 10 passing'],
    [{ paused: 2 }, 'paused', '2 paused'],
    [{ pending: 1, paused: 2 }, 'pending', '1 of 3 not run yet'],
  ] as const)('%o', (counts, worst, text) => {
    const all = { ...NO_SERVICES, ...counts }
    expect(worstState(all)).toBe(worst)
    expect(countsText(all)).toBe(text)
  })
})
