'use client'

import { Alert, Badge, Code, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ResultStep } from '#server/schemas/results/results.ts'
import { CopyIconButton } from '../copy-icon-button.tsx'
import { ChevronRight } from '../icons.ts'
import { bytesText, millisecondsText } from '../numbers.ts'
import { AssertionTable } from './assertion-table.tsx'
import { Disclosure } from './disclosure.tsx'
import { HeaderTable } from './header-table.tsx'
import type { RawCall } from './raw-calls.ts'
import styles from './step-card.module.css'

export type StepCardProps = {
  step: ResultStep
  call: RawCall
  /** Shown if the run did not reach the step. */
  skippedText: string
  isOpen: boolean
  onToggle: () => void
  /** The body of the response, rendered only when it is shown. */
  body: ReactNode
}

/** One call of a run: a line that unfolds to what was expected, beside what came back. */
export function StepCard({ step, isOpen, onToggle, ...props }: StepCardProps) {
  const id = `step-${step.stepNum}`
  const isSkipped = step.outcome === 'skipped'
  return (
    <section className={styles.card} data-outcome={step.outcome} id={id} aria-labelledby={`${id}-title`}>
      <h3 className={styles.heading}>
        {isSkipped ? (
          <div className={styles.control}>
            <StepLine step={step} titleId={`${id}-title`} />
          </div>
        ) : (
          <button type="button" className={styles.control} aria-expanded={isOpen} onClick={onToggle}>
            <ChevronRight className={styles.chevron} size={16} aria-hidden />
            <StepLine step={step} titleId={`${id}-title`} />
          </button>
        )}
      </h3>
      {isSkipped && (
        <Text size="sm" c="dimmed" className={styles.content}>
          {props.skippedText}
        </Text>
      )}
      {!isSkipped && isOpen && (
        <div className={styles.content}>
          <StepContent step={step} call={props.call} body={props.body} />
        </div>
      )}
    </section>
  )
}

function StepLine({ step, titleId }: { step: ResultStep; titleId: string }) {
  const failed = step.assertionResults.filter(({ outcome }) => outcome === 'failed').length
  const url = step.requestUrl ?? step.urlTemplate
  return (
    <>
      <span id={titleId} className={styles.number}>
        Step {step.stepNum}
      </span>
      <span className={styles.url} title={url}>
        <strong>{step.method}</strong> {url}
      </span>
      {failed > 0 && (
        <Badge variant="light" color="red">
          {failed} failed
        </Badge>
      )}
      {step.outcome === 'timeout' && (
        <Badge variant="light" color="orange">
          Timed out
        </Badge>
      )}
      {step.statusCode !== null && (
        <Badge variant="light" color={step.statusCode < 400 ? 'teal' : 'red'}>
          {step.statusCode}
        </Badge>
      )}
      {step.outcome === 'skipped' ? (
        <Badge variant="outline" color="gray">
          Skipped
        </Badge>
      ) : (
        <span className={styles.time}>{millisecondsText(step.responseTimeMs)}</span>
      )}
    </>
  )
}

function StepContent({ step, call, body }: { step: ResultStep; call: RawCall; body: ReactNode }) {
  const hasFailed = step.outcome === 'failure' || step.error !== null
  const hasResponse = step.statusCode !== null
  return (
    <Stack gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <strong>{step.method}</strong> <Code>{step.requestUrl ?? step.urlTemplate}</Code>
        {hasResponse && ` · ${bytesText(step.responseSizeBytes)}`}
      </Text>
      {call.redirects.map((url) => (
        <Text key={url} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Redirected to <Code>{url}</Code>
        </Text>
      ))}
      {step.traceId && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Trace id <Code>{step.traceId}</Code>{' '}
          <CopyIconButton text={step.traceId} label="Trace id" size="sm" variant="subtle" />
        </Text>
      )}
      {step.error && (
        <Alert color="red" variant="light">
          {step.error}
        </Alert>
      )}
      {call.warnings.map((warning) => (
        <Alert key={warning} color="orange" variant="light">
          {warning}
        </Alert>
      ))}
      <div className={styles.beside} data-beside={(hasFailed && hasResponse) || undefined}>
        {step.assertionResults.length > 0 && (
          <div>
            <AssertionTable assertions={step.assertionResults} />
          </div>
        )}
        <Stack gap="xs">
          {hasResponse && (
            <Disclosure label="Response body" isOpen={hasFailed}>
              {body}
            </Disclosure>
          )}
          <Headers title="Response headers" headers={step.headers} isOpen={hasFailed} />
          <Headers title="Request headers" headers={call.requestHeaders} />
        </Stack>
      </div>
    </Stack>
  )
}

function Headers(props: { title: string; headers: ResultStep['headers']; isOpen?: boolean }) {
  const count = Object.keys(props.headers).length
  if (count === 0) return null
  return (
    <Disclosure label={`${props.title} (${count})`} isOpen={props.isOpen ?? false}>
      <HeaderTable headers={props.headers} />
    </Disclosure>
  )
}
