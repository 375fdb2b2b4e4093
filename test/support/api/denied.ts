import { expect } from 'vitest'
import type { Answer } from './contract.ts'

/** The part of an answer that tells what was refused and why. */
export function refusal({ status, body }: Answer): Record<string, unknown> {
  return { status, ...(body as object) }
}

/** Every answer is the same 404, to the byte. */
export function expectAbsent(answers: Answer[]): void {
  expect(answers.length).toBeGreaterThan(0)
  for (const answer of answers) expect(refusal(answer)).toEqual({ status: 404, error: 'not_found' })
}
