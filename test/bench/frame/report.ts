/** What a figure should reach. */
export type Goal = { atLeast: number } | { atMost: number }

/**
 * One figure of a benchmark, as it is printed and written. `name` stays the same from run to run, because `--check`
 * compares by it. `value` is a median, a percentile, or a ratio of medians, as `unit` says.
 */
export type Figure = {
  name: string
  value: number
  /** For example `x the rate`, `ms`, `MiB`. */
  unit: string
  goal: Goal | null
  better: 'higher' | 'lower'
  /** CPU time per operation in microseconds, with that of the peer. */
  cpuMicros?: { own: number; peer?: number }
  /** What the figure is compared with, or how it was taken. */
  note?: string
}

/** A figure as a benchmark adds it: without a goal, it says which direction is better. */
export type NewFigure = Omit<Figure, 'goal' | 'better'> & ({ goal: Goal } | { better: Figure['better'] })

/** Collects the figures of one benchmark, and prints each of them when it is added. */
export class Report {
  readonly figures: Figure[] = []

  add(added: NewFigure): void {
    const goal = 'goal' in added ? added.goal : null
    const better = 'goal' in added ? ('atLeast' in added.goal ? 'higher' : 'lower') : added.better
    const figure = { ...added, value: rounded(added.value), goal, better }
    if (this.figures.some(({ name }) => name === figure.name)) throw new Error(`${figure.name} is reported twice`)
    this.figures.push(figure)
    console.log(describeFigure(figure))
  }
}

export function isMet({ value, goal }: Figure): boolean {
  if (!goal) return true
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

export function describeFigure(figure: Figure): string {
  const { name, value, unit, goal, cpuMicros, note } = figure
  const parts = [`${name}: ${value} ${unit}`]
  if (goal) {
    const bound = 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`
    parts.push(`goal ${bound}: ${isMet(figure) ? 'met' : 'NOT MET'}`)
  }
  if (cpuMicros) {
    const { own, peer } = cpuMicros
    const beside = peer === undefined ? '' : `, peer ${rounded(peer)} µs, ${rounded(own / peer)} x`
    parts.push(`CPU per operation ${rounded(own)} µs${beside}`)
  }
  if (note) parts.push(note)
  return parts.join(' | ')
}

/** Three significant digits, because the machine allows no more. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
