'use client'

import { Stack } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { Result, ResultStep } from '#server/schemas/results/results.ts'
import { openAtFirst } from './open-steps.ts'
import { rawCallOf } from './raw-calls.ts'
import { StepCard } from './step-card.tsx'

type Run = Pick<Result, 'status' | 'failure' | 'rawResult' | 'steps'>

/**
 * The steps of a run. The failing one is open, and so is the only one; the others are folded. A link to `#step-2` opens
 * that step.
 */
export function StepList({ run, bodyOf }: { run: Run; bodyOf: (step: ResultStep) => ReactNode }) {
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(openAtFirst(run)))
  useEffect(() => {
    const openLinked = () => {
      const stepNum = Number(/^#step-(\d+)$/.exec(window.location.hash)?.[1])
      if (stepNum) setOpen((steps) => new Set(steps).add(stepNum))
    }
    openLinked()
    window.addEventListener('hashchange', openLinked)
    return () => window.removeEventListener('hashchange', openLinked)
  }, [])
  const toggle = (stepNum: number) =>
    setOpen((steps) => {
      const next = new Set(steps)
      if (!next.delete(stepNum)) next.add(stepNum)
      return next
    })
  return (
    <Stack gap="sm">
      {run.steps.map((step) => (
        <StepCard
          key={step.id}
          step={step}
          call={rawCallOf(run.rawResult, step.stepNum)}
          skippedText={skippedText(run)}
          isOpen={open.has(step.stepNum)}
          onToggle={() => toggle(step.stepNum)}
          body={bodyOf(step)}
        />
      ))}
    </Stack>
  )
}

/** Says why steps were skipped: a run ends at the step that fails, which is the last one that was executed. */
function skippedText({ status, steps }: Run): string {
  const last = steps.findLast(({ outcome }) => outcome !== 'skipped')
  if (!last) return 'Skipped: the run ended before this step'
  if (last.outcome === 'success')
    return `Skipped: the run ${status === 'timeout' ? 'timed out' : 'ended'} after step ${last.stepNum}`
  return `Skipped: step ${last.stepNum} ${last.outcome === 'timeout' ? 'timed out' : 'failed'}`
}
