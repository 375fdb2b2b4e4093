import { expect, test } from 'vitest'
import { judge } from '#server/runs/record/judge.ts'
import type { JudgingFacts } from '#server/runs/record/judging-facts.ts'
import { prepareRun } from '#server/runs/record/prepared-run.ts'
import type { AgentState, AlertSettings, ServiceState } from '#server/runs/record/service-state.ts'
import { announcements, countedRuns, failingAlone, type SlotHistory } from '#test/support/oracles/slot-oracle.ts'
import { isFailedAfter, isFailingAfter, type Observation, type Outcome } from '#test/support/oracles/verdict-oracle.ts'
import { initialState } from '#test/support/runs/initial-state.ts'
import { runOf } from '#test/support/runs/stored-runs.ts'
import { randomNumbers } from '#test/support/seed.ts'

const SERVICE = { id: 'service', organizationId: 'organization' }
const NOON = Date.parse('2026-06-03T12:00:00Z')
const MINUTE_MS = 60_000
const AGENTS = ['a', 'b', 'c']

type Judged = { state: ServiceState; agents: ReadonlyMap<string, AgentState>; change: string | null }

function builtOf({ agent, outcome, startedAt }: Observation) {
  return prepareRun(runOf({ service: SERVICE, agent: { id: agent, slug: agent }, outcome, startedAt }))
}

/**
 * Judges one run, as the writer does. `first` is the run that it rechecks; `isAsked` for a run that is rechecked, `isStored`
 * for one whose recheck never ran.
 */
function judgeRun(
  judged: Judged,
  run: Observation,
  isAsked: boolean,
  first: Observation | null,
  isStored = false,
): Judged {
  const settings: AlertSettings = {
    ...{ probeMode: 'consecutive', confirmFailures: run.confirmFailures, recheckSeconds: 10, recheckWrites: false },
    ...{ confirmRecoveries: run.confirmRecoveries ?? 1, alertOnRecovery: true },
  }
  const one = isStored ? { ...builtOf(run), isStored: true as const } : builtOf(run)
  const agent = { isShared: true, isKnown: true, isNamed: false, isAlive: true }
  const facts: JudgingFacts = {
    states: new Map([[SERVICE.id, judged.state]]),
    settings: new Map([[SERVICE.id, settings]]),
    agents: new Map([[SERVICE.id, judged.agents]]),
    skipped: new Map(),
    eligible: new Map([[SERVICE.id, run.living.map((id) => ({ ...agent, id, slug: id }))]]),
  }
  if (run.outcome === 'skipped') return { ...judged, change: null }
  const { states, agents, changes } = judge([one], facts, {
    asked: isAsked
      ? new Map([[one.id, { slot: run.startedAt, dueAt: run.startedAt, madeAt: run.startedAt }]])
      : new Map(),
    first: first ? new Map([[one.id, { id: 'first', startedAt: first.startedAt }]]) : new Map(),
    unchecked: new Map(),
  })
  return {
    state: states[0] ?? judged.state,
    agents: new Map([...judged.agents, ...agents.map((seen): [string, AgentState] => [seen.agentId, seen])]),
    change: changes[0]?.change ?? null,
  }
}

/** What the task does once nothing has changed for fifteen minutes. */
function endQuiet(state: ServiceState, now: Date): ServiceState {
  const last = state.changedAt.at(-1)
  const isOver = state.flapping && last && now.getTime() - last.getTime() >= 15 * MINUTE_MS
  return isOver ? { ...state, flapping: null, degradation: null } : state
}

test('verdict, messages, flapping and agents that fail alone equal those recomputed from the whole history', () => {
  const next = randomNumbers()
  const seen = { failed: 0, recovered: 0, flapping: 0, alone: 0, rechecked: 0 }
  for (let i = 0; i < 100; i++) {
    const agents = AGENTS.slice(0, 1 + next(3))
    const failurePercent = 20 + next(60)
    const paceMinutes = 1 + next(6)
    let living = agents
    let confirmRecoveries = 1
    let judged: Judged = { state: initialState({ ...SERVICE, serviceId: SERVICE.id }), agents: new Map(), change: null }
    const slots: SlotHistory = []
    let now = NOON
    for (let slot = 0; slot < 40; slot++) {
      now += (1 + next(paceMinutes)) * MINUTE_MS + (next(15) === 0 ? 20 * MINUTE_MS : 0)
      if (next(10) === 0) living = agents.filter((_, at) => at === 0 || next(3) > 0)
      if (next(20) === 0) confirmRecoveries = 1 + next(2)
      const observe = (agent: string, at: number): Observation => {
        const outcome: Outcome = next(25) === 0 ? 'skipped' : next(100) < failurePercent ? 'failure' : 'success'
        return { agent, outcome, startedAt: new Date(at), confirmFailures: 1 + (i % 2), confirmRecoveries, living }
      }
      const first = observe(living[next(living.length)] as string, now)
      const others = living.filter((agent) => agent !== first.agent)
      const again = others.length > 0 ? (others[next(others.length)] as string) : first.agent
      const isRechecked = first.outcome === 'failure' && next(10) > 0
      const recheck = isRechecked ? observe(again, now + 10_000) : null
      slots.push({ first, recheck })
      const isChecked = recheck !== null && recheck.outcome !== 'skipped'
      judged = { ...judged, state: endQuiet(judged.state, isChecked ? recheck.startedAt : first.startedAt) }
      judged = judgeRun(judged, first, isRechecked, null)
      if (recheck) {
        expect(judged.change).toBeNull()
        judged = isChecked ? judgeRun(judged, recheck, false, first) : judgeRun(judged, first, false, null, true)
        seen.rechecked++
      }
      const counted = countedRuns(slots)
      const { announced, isFlapping } = announcements(slots).at(-1) as ReturnType<typeof announcements>[number]
      const isFailed = isFailedAfter(counted, 'consecutive')
      const isFailing = isFailingAfter(counted, 'consecutive')
      const alone = isFailing || counted.at(-1)?.outcome === 'skipped' ? null : failingAlone(slots)
      const { state, change } = judged
      const hasRun = counted.some(({ outcome }) => outcome !== 'skipped')
      expect([state.isAlerting, change, state.flapping !== null]).toEqual([isFailed, announced, isFlapping])
      if (hasRun) expect(state.lastStatus !== 'success').toBe(isFailing)
      if (alone !== null) {
        const summary = state.degradation?.summary ?? ''
        const text = alone.length > 1 ? `${alone.slice(0, -1).join(', ')} and ${alone.at(-1)}` : alone[0]
        if (isFlapping) expect(summary).toMatch(/^flapping: failed \d+ times in /)
        else if (alone.length > 0) expect(summary).toContain(`(fails from ${text} only)`)
        else expect(state.degradation).toBeNull()
        if (alone.length > 0) seen.alone++
      }
      if (change === 'service.failed') seen.failed++
      if (change === 'service.recovered') seen.recovered++
      if (change === 'service.flapping') seen.flapping++
    }
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20)
})
