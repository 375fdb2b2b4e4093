export type Bound = { atLeast: number } | { atMost: number }

/** One figure of a benchmark. `value` is a median, a percentile, or a ratio of medians, as `unit` says. */
export type Figure = {
  name: string
  value: number
  /** For example `x the rate`, `ms`, `MB`. */
  unit: string
  /** A peer or a floor has none. */
  bound?: Bound
  /** CPU time per operation in microseconds, with that of the peer. */
  cpuMicros?: { own: number; peer: number }
  /** What the figure is compared with, or how it was taken. */
  note?: string
}

/** Collects the figures of one benchmark, and prints each of them when it is added. */
export class Report {
  readonly figures: Figure[] = []

  add(figure: Figure): void {
    this.figures.push(figure)
    console.log(describeFigure(figure))
  }
}

export function isMet({ value, bound }: Figure): boolean {
  if (!bound) return true
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost
}

export function describeFigure(figure: Figure): string {
  const { name, value, unit, bound, cpuMicros, note } = figure
  const parts = [`${name}: ${rounded(value)} ${unit}`]
  if (bound) {
    const text = 'atLeast' in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`
    parts.push(`bound ${text}: ${isMet(figure) ? 'met' : 'NOT MET'}`)
  }
  if (cpuMicros) {
    const { own, peer } = cpuMicros
    parts.push(`CPU per operation ${rounded(own)} µs, peer ${rounded(peer)} µs, ${rounded(own / peer)} x`)
  }
  if (note) parts.push(note)
  return parts.join(' | ')
}

/** Three significant digits, because the machine allows no more. */
function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
