import type { AssertionRecord } from '../result.ts'
import { type Json, type JsonObject, jsonStart, measure } from '../values/json.ts'
import { type EvaluationContext, warn } from './context.ts'

const LONGEST_OPERAND = 8 * 1024
const SHORTEST_OPERAND = 64
/** Steps of a record: it is put together, printed, masked and stored. */
const RECORD_STEPS = 4_000
/** Of a character of what was compared. */
const OPERAND_STEPS = 20
/** Of what records may take in all, this part is kept for those that failed. */
const FOR_FAILED = 1 / 4

/** What records of a run may still take, in characters. */
export type RecordLimits = { operands: number; records: number }

export const RECORD_LIMITS: RecordLimits = { operands: 256 * 1024, records: 512 * 1024 }

type Side = 'actual' | 'expected' | 'actualLhs' | 'actualRhs'

/**
 * A compared value that is longer than a record may hold. The record has more of it than that, so that a secret can be
 * found which the cut would halve: whoever masks it cuts it after `length` characters.
 */
export type Cut = { record: number; side: Side; length: number }

/** Collects assertion records, and keeps values that were compared from filling the result with whole bodies. */
export class AssertionLog {
  readonly records: AssertionRecord[] = []
  readonly cuts: Cut[] = []
  readonly limits: RecordLimits
  private readonly context: EvaluationContext
  private readonly beyondCut: number
  /** By object, so that a body that is compared again is not written again. */
  private readonly starts = new WeakMap<object, string>()
  private leftOut = 0

  /** `beyondCut`: characters that a value that is cut keeps behind the cut. */
  constructor(limits: RecordLimits, beyondCut: number, context: EvaluationContext) {
    this.limits = { ...limits }
    this.beyondCut = beyondCut
    this.context = context
  }

  add(given: AssertionRecord): void {
    this.context.work.spend(RECORD_STEPS)
    const before = this.cuts.length
    const record =
      given.method === 'assert'
        ? {
            ...given,
            actualLhs: this.cut('actualLhs', given.actualLhs),
            actualRhs: this.cut('actualRhs', given.actualRhs),
          }
        : { ...given, actual: this.cut('actual', given.actual), expected: this.cut('expected', given.expected) }
    const cut = this.cuts.slice(before).reduce((sum) => sum + this.beyondCut, 0)
    const size = measure(record as unknown as Json, this.limits.records + cut).size - cut
    const reserved = given.outcome === 'failed' ? 0 : RECORD_LIMITS.records * FOR_FAILED
    if (size > this.limits.records - reserved) {
      this.cuts.length = before
      this.leftOut++
      return
    }
    this.limits.records -= size
    this.records.push(record)
  }

  options(options: JsonObject | null): JsonObject | null {
    if (options === null) return null
    const { size } = measure(options, LONGEST_OPERAND)
    return size > LONGEST_OPERAND ? { tooLarge: true } : options
  }

  /** Says what is not there. */
  finish(): void {
    if (this.leftOut === 0) return
    warn(this.context, `${this.leftOut} assertions are left out of the result, which would be too large with them`)
  }

  private cut(side: Side, value: Json): Json {
    const longest = this.limits.operands > 0 ? LONGEST_OPERAND : SHORTEST_OPERAND
    const { size } = measure(value, longest)
    this.context.work.spend(Math.min(size, longest) * OPERAND_STEPS)
    this.limits.operands -= Math.min(size, longest)
    if (size <= longest) return value
    if (longest === SHORTEST_OPERAND) return '…'
    this.cuts.push({ record: this.records.length, side, length: longest })
    return this.startOf(value, longest + this.beyondCut)
  }

  private startOf(value: Json, length: number): string {
    if (typeof value === 'string') return value.slice(0, length)
    const known = this.starts.get(value as object)
    if (known !== undefined) return known
    const start = jsonStart(value, length)
    this.starts.set(value as object, start)
    return start
  }
}

/** Masks what is cut, and cuts it. */
export async function finishCuts(
  records: AssertionRecord[],
  cuts: Cut[],
  maskStart: (text: string, length: number) => Promise<string>,
): Promise<void> {
  for (const { record, side, length } of cuts) {
    const sides = records[record] as unknown as Record<Side, Json>
    sides[side] = `${(await maskStart(sides[side] as string, length)).slice(0, length)}…`
  }
}
