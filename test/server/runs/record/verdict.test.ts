import { describe, expect, test } from 'vitest'
import { prepareRun } from '#server/runs/record/prepared-run.ts'
import {
  type AgentState,
  type AlertSettings,
  countAgents,
  nextAgentState,
  nextState,
  type ServiceState,
} from '#server/runs/record/service-state.ts'
import type { ProbeMode } from '#server/schedule/placement.ts'
import {
  agentStreak,
  failingSinceAfter,
  isFailedAfter,
  isFailingAfter,
  type Observation,
  type Outcome,
} from '#test/support/oracles/verdict-oracle.ts'
import { initialState } from '#test/support/runs/initial-state.ts'
import { runOf } from '#test/support/runs/stored-runs.ts'
import { randomNumbers } from '#test/support/seed.ts'

const SERVICE = { id: 'service', organizationId: 'organization' }
const MODES: ProbeMode[] = ['consecutive', 'random', 'simultaneous']
const OUTCOMES: Outcome[] = ['success', 'failure', 'timeout', 'skipped']
const AGENTS = ['a', 'b', 'c', 'd']
const NOON = Date.parse('2026-06-03T12:00:00Z')

/** The state of a service and of its agents, as the table keeps them, and the change of the verdict. */
type Judged = {
  state: ServiceState
  agents: ReadonlyMap<string, AgentState>
  /** Agents whose own last part was skipped. */
  skipped: ReadonlySet<string>
  change: string | null
}

const START: Judged = {
  state: initialState({ serviceId: SERVICE.id, organizationId: SERVICE.organizationId }),
  agents: new Map(),
  skipped: new Set(),
  change: null,
}

const RUNS = new Map<string, ReturnType<typeof runOf>>()

function judge({ state, agents, skipped: before }: Judged, observation: Observation, probeMode: ProbeMode): Judged {
  const { agent, outcome, startedAt, confirmFailures, confirmRecoveries = 1, living } = observation
  const key = `${agent} ${outcome}`
  const built = RUNS.get(key) ?? runOf({ service: SERVICE, agent: { id: agent, slug: agent }, outcome, startedAt })
  RUNS.set(key, built)
  const run = prepareRun({ ...built, result: { ...built.result, startedAt } })
  const own = { alertOnRecovery: true, recheckSeconds: 0, recheckWrites: false }
  const settings: AlertSettings = { probeMode, confirmFailures, confirmRecoveries, ...own }
  const count = countAgents({ byId: agents, living })
  const seen = nextAgentState(agents.get(agent), run, settings, state.probesTotal + 1, count)
  const byId = seen ? new Map([...agents, [agent, seen]]) : agents
  const others = [...before].filter((id) => id !== agent)
  const skipped = new Set(outcome === 'skipped' ? [...others, agent] : others)
  const next = nextState(state, run, settings, { byId, living, skipped }).state
  const isSame = next.isAlerting === state.isAlerting
  return {
    state: next,
    agents: byId,
    skipped,
    change: isSame ? null : next.isAlerting ? 'service.failed' : 'service.recovered',
  }
}

/** Returns what differs between the judged state and the oracle's, or null. `before` is the judged state before the last run. */
function difference(before: Judged, judged: Judged, history: Observation[], mode: ProbeMode): object | null {
  const { state, change, agents } = judged
  const isFailed = isFailedAfter(history, mode)
  // Compared with the oracle's when it was judged.
  const wasFailed = before.state.isAlerting
  const hasRun = history.some(({ outcome }) => outcome !== 'skipped')
  const expected = {
    isFailed,
    change: isFailed === wasFailed ? null : isFailed ? 'service.failed' : 'service.recovered',
    status: hasRun ? (isFailingAfter(history, mode) ? 'failing' : 'passing') : 'unknown',
    failingSince: failingSinceAfter(history, mode)?.getTime() ?? null,
    streaks: AGENTS.map((agent) => agentStreak(history, agent, mode).length).join(),
  }
  const { lastStatus, failingSince } = state
  const found = {
    isFailed: state.isAlerting,
    change,
    status: lastStatus === null ? 'unknown' : lastStatus === 'success' ? 'passing' : 'failing',
    failingSince: failingSince?.getTime() ?? null,
    streaks: AGENTS.map((agent) => agents.get(agent)?.failingRuns ?? 0).join(),
  }
  return JSON.stringify(found) === JSON.stringify(expected) ? null : { mode, history, found, expected }
}

/**
 * Judges every sequence of observations of this length, and returns the first difference and how many there were. Of
 * sequences that only name the agents differently, it judges one.
 */
function judgeAll(agents: string[], living: string[], length: number, mode: ProbeMode, confirmFailures: number) {
  let count = 0
  const extend = (before: Judged, history: Observation[]): object | null => {
    if (history.length === length) return null
    const isUnused = (agent: string) => !history.some((one) => one.agent === agent)
    const isAnother = (agent: string, nth: number) => {
      const alike = agents.slice(0, nth).filter((other) => living.includes(other) === living.includes(agent))
      return isUnused(agent) && alike.some(isUnused)
    }
    for (const agent of agents.filter((agent, nth) => !isAnother(agent, nth))) {
      for (const outcome of OUTCOMES) {
        const startedAt = new Date(NOON + history.length * 60_000)
        const next = [...history, { agent, outcome, startedAt, confirmFailures, living }]
        const judged = judge(before, next.at(-1) as Observation, mode)
        count++
        const wrong = difference(before, judged, next, mode) ?? extend(judged, next)
        if (wrong) return wrong
      }
    }
    return null
  }
  return { wrong: extend(START, []), count }
}

describe('the verdict of every short sequence equals the one recomputed from the whole history', () => {
  test.each([
    { agents: 1, length: 5, sequences: 36_828 },
    { agents: 2, length: 4, sequences: 84_240 },
    { agents: 3, length: 3, sequences: 15_264 },
    { agents: 4, length: 3, sequences: 15_840 },
  ])('of $length runs on $agents agents', ({ agents: size, length, sequences }) => {
    const agents = AGENTS.slice(0, size)
    let judged = 0
    for (const mode of MODES) {
      for (const confirmFailures of [1, 2, 3]) {
        // All agents are alive, all but the last, or also one that never runs the service.
        for (const living of [agents, agents.slice(0, -1), [...agents, 'never']]) {
          const { wrong, count } = judgeAll(agents, living, length, mode, confirmFailures)
          expect(wrong).toBe(null)
          judged += count
        }
      }
    }
    expect(judged).toBe(sequences)
  })
})

test('the verdict of long random sequences does too, while agents die and return and the settings change', () => {
  const next = randomNumbers()
  let changes = 0
  for (let i = 0; i < 1_500; i++) {
    const mode = MODES[i % MODES.length] as ProbeMode
    const agents = AGENTS.slice(0, 1 + next(4))
    const failurePercent = 10 + next(80)
    let confirmFailures = 1 + next(3)
    let confirmRecoveries = 1 + next(2)
    let living = agents
    let judged = START
    const history: Observation[] = []
    for (let run = 0; run < 30; run++) {
      if (next(6) === 0) living = agents.filter(() => next(3) > 0)
      if (next(10) === 0) confirmFailures = 1 + next(3)
      if (next(10) === 0) confirmRecoveries = 1 + next(3)
      const failed = next(100) < failurePercent
      const outcome = next(12) === 0 ? 'skipped' : failed ? (next(3) === 0 ? 'timeout' : 'failure') : 'success'
      // The clocks of workers differ: one run in four starts before the one before it.
      const startedAt = new Date(NOON + run * 60_000 - (next(4) === 0 ? next(600_000) : 0))
      const agent = agents[next(agents.length)] as string
      history.push({ agent, outcome, startedAt, confirmFailures, confirmRecoveries, living })
      const before = judged
      judged = judge(before, history.at(-1) as Observation, mode)
      const wrong = difference(before, judged, history, mode)
      if (wrong) expect(wrong).toBe(null)
      if (judged.change) changes++
    }
  }
  expect(changes).toBeGreaterThan(2_000)
})

describe('the table of sequences', () => {
  const judgeRuns = (mode: ProbeMode, confirmFailures: number, living: string[], sequence: string) => {
    let judged = START
    return sequence.split(' ').map((text, i) => {
      const [agent = '', letter = ''] = text
      const outcome = { '+': 'success', '-': 'failure', t: 'timeout', s: 'skipped' }[letter] as Outcome
      const startedAt = new Date(NOON + i * 60_000)
      judged = judge(judged, { agent, outcome, startedAt, confirmFailures, living }, mode)
      return judged.change ? `${judged.change === 'service.failed' ? '!' : '.'}${i + 1}` : ''
    })
  }
  // A run is its agent and its outcome. `!4` fails the service at the fourth run, `.7` recovers it at the seventh.
  test.each<[ProbeMode, number, string, string, string]>([
    ['consecutive', 1, 'ab', 'a+ b- a+ b- a-', '!2 .3 !4'],
    ['consecutive', 2, 'ab', 'a+ b- a+ b- at as b+', '!5 .7'],
    ['consecutive', 3, 'abc', 'a- b- a+ a- bt c- a- b+', '!6 .8'],
    ['random', 2, 'ab', 'a- as b- b+', '!3 .4'],
    // One bad agent of three neither fails the service nor flaps.
    ['simultaneous', 1, 'abc', 'a- b+ c+ a- b+ c+ at b+ c+', ''],
    ['simultaneous', 2, 'abc', 'a- b+ c+ a- b+ c+ at b+ c+', ''],
    // Two of three, each by its own failures in a row.
    ['simultaneous', 1, 'abc', 'a- b- c+ a- b+ c+', '!2 .5'],
    ['simultaneous', 2, 'abc', 'a- b- c+ a- b- c+ a- b- c+ a+ b- c+', '!5 .10'],
    ['simultaneous', 2, 'abc', 'a- b- c+ a+ b- c+ a- b+ c+', ''],
    ['simultaneous', 3, 'abc', 'a- b- c- at bt ct as b- a- c+', '!9'],
    // Half is enough: of two agents one, of four two.
    ['simultaneous', 1, 'ab', 'a- b+ a- a+', '!1 .4'],
    ['simultaneous', 1, 'abcd', 'a- b- c+ d+ b+', '!2 .5'],
    // Only living agents count: c is dead.
    ['simultaneous', 1, 'ab', 'c- c- b- a+ b+', '!3 .5'],
    // What an agent saw before it was away says nothing: b returns healthy after a alone has recovered the service.
    ['simultaneous', 1, 'ab', 'a+ b- a+ a+ a+ a+ a+ a+ b+ a+', '!2 .7'],
    ['simultaneous', 1, 'ab', 'a+ b- a+ a+ a+ a+ a+ b- a+', '!2 .7 !8'],
    // Its failures before do not confirm the first one after: b failed twice, was away, and fails once.
    ['simultaneous', 2, 'ab', 'a+ b- a+ b- a+ a+ a+ a+ a+ b- a+ b-', '!4 .9 !12'],
    // Without a living agent, nothing changes.
    ['simultaneous', 1, '', 'a- b- c-', ''],
  ])('%s with confirmFailures %i on %s: %s', (mode, confirmFailures, living, sequence, changes) => {
    const found = judgeRuns(mode, confirmFailures, [...living], sequence)
    expect(found.filter(Boolean).join(' ')).toBe(changes)
  })
})
