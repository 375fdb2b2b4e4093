import { expect, test, vi } from 'vitest'
import { createMeasuredClock } from '#server/observe/system/measured-clock.ts'

const DAY_MS = 86_400_000

/** The server's time is `aheadMs` ahead of this machine's. The answer arrives now. */
function observe(clock: ReturnType<typeof createMeasuredClock>, aheadMs: number, toMs: number, backMs: number): void {
  const now = performance.now()
  clock.observe(new Date(Date.now() - backMs + aheadMs), now - toMs - backMs, now)
}

test("is this machine's clock until it is measured", () => {
  const clock = createMeasuredClock()
  expect(clock.aheadMs()).toBeNull()
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000)
})

test('takes the fastest of the last answers', () => {
  const clock = createMeasuredClock()
  observe(clock, DAY_MS, 4_000, 0)
  expect(clock.aheadMs()).toBeGreaterThan(DAY_MS + 1_900)
  observe(clock, DAY_MS, 5, 5)
  observe(clock, DAY_MS, 0, 3_000)
  expect(Math.abs((clock.aheadMs() ?? 0) - DAY_MS)).toBeLessThan(200)
})

test('follows a step that no delay explains, and ignores answers that took too long', () => {
  const clock = createMeasuredClock()
  observe(clock, 0, 5, 5)
  observe(clock, 60_000, 20, 20)
  expect(Math.abs((clock.aheadMs() ?? 0) - 60_000)).toBeLessThan(200)
  observe(clock, -DAY_MS, 15_000, 15_000)
  clock.observe(new Date('nonsense'), performance.now(), performance.now())
  expect(Math.abs((clock.aheadMs() ?? 0) - 60_000)).toBeLessThan(200)
})

test('does not notice that the time of this machine is set, and a run keeps the clock with which it began', () => {
  const clock = createMeasuredClock()
  observe(clock, 0, 1, 1)
  const runNow = clock.forRun()
  const before = clock.now()
  const wrong = Date.now() + DAY_MS
  const spy = vi.spyOn(Date, 'now').mockReturnValue(wrong)
  try {
    expect(Math.abs(clock.now() - before)).toBeLessThan(60_000)
    clock.observe(new Date(before + 2 * DAY_MS), performance.now(), performance.now())
    expect(clock.now()).toBeGreaterThan(before + DAY_MS)
    expect(runNow()).toBeLessThan(before + DAY_MS)
  } finally {
    spy.mockRestore()
  }
})
