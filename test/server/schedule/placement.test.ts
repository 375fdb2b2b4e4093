import { describe, expect, test } from 'vitest'
import {
  type PlaceableAgent,
  type ProbeMode,
  placeRecheck,
  placeRequiredRun,
  placeScheduledRun,
  placeStuckRun,
} from '#server/schedule/placement.ts'

// An agent in a word: `a` is alive with room, `A` has exactly one slot, `a!` has no room, `a?` reports no slots, `a-` is dead,
// `a~` fell silent and nobody has found it dead yet, `a0` is switched off.
function agentsOf(words: string, isNamed = true): PlaceableAgent[] {
  return words
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [name = '', mark] = word
      const free =
        mark !== undefined && '!-~0'.includes(mark) ? 0 : mark === '?' ? null : name === name.toUpperCase() ? 1 : 99
      const slug = name.toLowerCase()
      const isAlive = mark === undefined || !'-~0'.includes(mark)
      const isKnown = isAlive || mark === '~'
      const isSwitchedOff = mark === '0'
      return { id: slug, slug, isShared: true, isAlive, isKnown, isNamed, isSwitchedOff, capacity: { free } }
    })
}

const slugs = (agents: readonly { slug: string }[]) => agents.map(({ slug }) => slug).join('')

/**
 * Which agents may get a run, by the written rule, from the words alone: the live ones; of these those that have room, or
 * all when none has. `consecutive` takes the next one after the last in the alphabet, and begins again at its end.
 */
function allowed(words: string, mode: ProbeMode, last: string, confirms: boolean): Set<string> {
  const alive = words.split(' ').filter((word) => word !== '' && !word.endsWith('-'))
  const names = (list: string[]) => list.map((word) => word.charAt(0).toLowerCase())
  if (mode === 'simultaneous') return new Set([names(alive).join('')])
  const others =
    mode === 'random' && confirms && alive.length > 1 ? alive.filter((word) => !names([word]).includes(last)) : alive
  const roomy = others.filter((word) => !word.endsWith('!'))
  const candidates = names(roomy.length > 0 ? roomy : others)
  if (mode === 'random') return new Set(candidates)
  return new Set([candidates.find((name) => name > last) ?? candidates[0] ?? ''])
}

const STATES = ['', '!', '?', '-']
const WORDS = STATES.flatMap((a) => STATES.flatMap((b) => STATES.map((c) => `a${a} b${b} c${c}`)))
const MODES: ProbeMode[] = ['consecutive', 'random', 'simultaneous']

describe.each(MODES)('%s', (probeMode) => {
  test('a scheduled and a required run go where the rule says, for every state of three agents', () => {
    for (const words of WORDS) {
      for (const last of ['', 'a', 'b', 'c']) {
        for (const isConfirming of [false, true]) {
          const facts = { probeMode, lastAgentId: last || null, isConfirming }
          const expected = allowed(words, probeMode, last, isConfirming)
          const where = `${words} after ${last || 'none'}${isConfirming ? ', confirming' : ''}`
          if (words.split(' ').every((word) => word.endsWith('-'))) {
            expect(placeScheduledRun(agentsOf(words), facts).chosen, where).toEqual([])
            continue
          }
          expect(expected, where).toContain(slugs(placeScheduledRun(agentsOf(words), facts).chosen))
          // A required run on all agents has a part for each of them.
          const required = probeMode === 'simultaneous' ? new Set(['abc']) : expected
          expect(required, where).toContain(slugs(placeRequiredRun(agentsOf(words), facts).chosen))
        }
      }
    }
  })
})

test('a recheck goes to another live agent, rather to one that passes, and last to one that skips', () => {
  const place = (words: string, failing = '', skipping = '') =>
    slugs(placeRecheck(agentsOf(words), { firstAgentId: 'b', failing: new Set(failing), skipping: new Set(skipping) }))
  expect(place('a b c')).toBe('c')
  expect(place('a b c', 'bc')).toBe('a')
  expect(place('a b c', 'abc')).toBe('c')
  expect(place('a b c-')).toBe('a')
  expect(place('a b c!')).toBe('a')
  expect(place('b')).toBe('b')
  expect(place('a- b c-')).toBe('b')
  // Agents whose last part was skipped: after all others.
  expect(place('a b c', '', 'c')).toBe('a')
  expect(place('a b c', 'a', 'c')).toBe('a')
  expect(place('a b c', '', 'ac')).toBe('b')
  expect(place('a b- c-', '', 'a')).toBe('a')
  // None is alive: the same one, unless it is switched off.
  expect(place('a- b- c-')).toBe('b')
  expect(place('a- b0')).toBe('a')
  expect(place('')).toBe('none')
})

test('`random` reaches every agent with room, and no other', () => {
  const seen = new Set<string>()
  for (let i = 0; i < 500; i++) {
    const facts = { probeMode: 'random' as const, lastAgentId: null, isConfirming: false }
    seen.add(slugs(placeScheduledRun(agentsOf('a b! c? d- e'), facts).chosen))
  }
  expect([...seen].sort()).toEqual(['a', 'c', 'e'])
})

describe('a run on all agents that are named', () => {
  const facts = { probeMode: 'simultaneous', lastAgentId: null, isConfirming: false } as const

  test('misses none of them silently', () => {
    const scheduled = placeScheduledRun(agentsOf('a b- c~ d0'), facts)
    expect([slugs(scheduled.chosen), slugs(scheduled.missed)]).toEqual(['a', 'bcd'])
    expect(slugs(placeRequiredRun(agentsOf('a b- c~ d0'), facts).chosen)).toEqual('abcd')
    expect(slugs(placeRequiredRun(agentsOf('a- d0'), facts).chosen)).toEqual('ad')
    expect(placeScheduledRun(agentsOf('d0'), facts)).toMatchObject({ chosen: [], missed: [{ slug: 'd' }] })
  })

  test('that is required and names none waits for those that nobody has found dead yet', () => {
    expect(slugs(placeRequiredRun(agentsOf('a b- c~', false), facts).chosen)).toBe('ac')
    expect(slugs(placeRequiredRun(agentsOf('a- b- c~', false), facts).chosen)).toBe('c')
    expect(slugs(placeRequiredRun(agentsOf('a- b-', false), facts).chosen)).toBe('ab')
    expect(slugs(placeScheduledRun(agentsOf('a b- c~', false), facts).chosen)).toBe('a')
  })
})

test.each(['consecutive', 'random'] as const)('`%s` uses no agent that is switched off', (probeMode) => {
  const facts = { probeMode, lastAgentId: null, isConfirming: false }
  expect(slugs(placeScheduledRun(agentsOf('a0 b c0'), facts).chosen)).toBe('b')
  expect(slugs(placeRequiredRun(agentsOf('a0 b- c0'), facts).chosen)).toBe('b')
  expect(slugs(placeScheduledRun(agentsOf('a0 b- c0'), facts).missed)).toBe('b')
  expect(slugs(placeRequiredRun(agentsOf('a0'), facts).chosen)).toBe('none')
})

test('each placed run takes a slot, so one read does not place more runs than an agent has slots', () => {
  const shared = agentsOf('A b')
  const facts = { probeMode: 'consecutive' as const, lastAgentId: null, isConfirming: false }
  // Four services without a former run, which all begin the rotation at `a`.
  const places = [1, 2, 3, 4].map(() => slugs(placeScheduledRun(shared, facts).chosen))
  expect(places).toEqual(['a', 'b', 'b', 'b'])
  // When no agent has room, the rotation is among all.
  const full = agentsOf('A B')
  expect([1, 2, 3].map(() => slugs(placeScheduledRun(full, facts).chosen))).toEqual(['a', 'b', 'a'])
})

test('a stuck run stays with its agent while that is alive, else moves to one with room', () => {
  const place = (words: string, probeMode: ProbeMode = 'consecutive') =>
    placeStuckRun(agentsOf(words), { agentId: 'a', probeMode })?.slug
  expect(place('a! b c')).toBe('a')
  expect(place('a- b! c')).toBe('c')
  expect(place('a- b! c-')).toBe('b')
  expect(place('a- b- c-')).toBeUndefined()
  expect(place('a- b c', 'simultaneous')).toBeUndefined()
})
