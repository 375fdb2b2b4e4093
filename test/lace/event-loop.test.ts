import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { shouldYield, waitToStart, yieldToEventLoop } from '#server/language/lace/event-loop.ts'

const SLICE_MS = 1

let now = 0
let order: string[]
let turn: number

/** Only computing takes time, so that a busy machine uses up no slice. */
function compute(ms: number): void {
  now += ms
}

/** Continues in a later turn, and notes in which one, counted from the first. */
async function note(name: string, waits: Promise<void>, ms = 0): Promise<void> {
  const first = turn
  await waits
  order.push(`${name} ${turn - first}`)
  compute(ms)
}

beforeEach(async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  order = []
  turn = 0
  // The slice of the turn before is over.
  await nextTurn()
  await nextTurn()
  const count = () => {
    turn += 1
    if (turn < 20) setImmediate(count)
  }
  setImmediate(count)
})

afterEach(() => {
  vi.restoreAllMocks()
})

test('work may go on until the slice of the turn is used up', async () => {
  expect(shouldYield()).toBe(false)
  compute(SLICE_MS)
  expect(shouldYield()).toBe(true)
  await nextTurn()
  await nextTurn()
  expect(shouldYield()).toBe(false)
})

test('a start does not wait while the slice lasts', async () => {
  await note('start', waitToStart())
  expect(order).toEqual(['start 0'])
})

test('many short pieces of work resume in one turn, in order', async () => {
  await Promise.all(['a', 'b', 'c'].map((name) => note(name, yieldToEventLoop())))
  expect(order.map((line) => line[0]).join('')).toBe('abc')
  expect(new Set(order.map((line) => line.slice(2))).size).toBe(1)
})

test('work that uses up the slice lets the next wait for another turn', async () => {
  await Promise.all(['a', 'b', 'c'].map((name) => note(name, yieldToEventLoop(), SLICE_MS)))
  expect(order.map((line) => line[0]).join('')).toBe('abc')
  expect(new Set(order.map((line) => line.slice(2))).size).toBe(3)
})

test('work that waits again resumes in another turn, even if the slice lasts', async () => {
  const turns: number[] = []
  for (let n = 0; n < 3; n++) {
    await yieldToEventLoop()
    turns.push(turn)
  }
  expect(new Set(turns).size).toBe(3)
})

test('begun work comes before starts, and one start of each turn comes all the same', async () => {
  shouldYield()
  compute(SLICE_MS)
  const starts = ['x', 'y'].map((name) => note(name, waitToStart(), SLICE_MS))
  const begun = ['a', 'b', 'c'].map((name) => note(name, yieldToEventLoop(), SLICE_MS))
  await Promise.all([...starts, ...begun])
  expect(order.map((line) => line[0]).join('')).toBe('axbyc')
})
