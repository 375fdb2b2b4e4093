'use client'

import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Service } from '#server/schemas/services.ts'
import { CodeBlock } from '../../../../components/code-block.tsx'
import { type MergeChoice, mergedText } from '../../../../components/comparing/merge.ts'
import { useComparison } from '../../../../components/comparing/use-comparison.ts'
import { GitMerge } from '../../../icons.ts'
import { ThreeWayDiff } from './three-way-diff.tsx'
import type { Base } from './use-script-draft.ts'

type Props = {
  latest: Service
  base: Base
  text: string
  isPending: boolean
  onUseLatest: () => void
  onUseMerged: (text: string) => void
  onOverwrite: (version: number) => void
}

/** Shown when another member saved the script first: what both changed, and the choice between, or of, both. */
export function ConflictNotice(props: Props) {
  const { latest, base, text } = props
  const theirs = latest.script ?? ''
  const [choices, setChoices] = useState<ReadonlyMap<number, MergeChoice>>(new Map())
  const task = useMemo(
    () => ({ kind: 'merge' as const, mine: text, base: base.script, theirs }),
    [text, base.script, theirs],
  )
  const comparison = useComparison(task)
  const parts = comparison.kind === 'done' ? comparison.result : []
  const conflicts = parts.filter((part) => part.kind === 'conflict').length
  const canMerge =
    comparison.kind === 'done' && parts.every((part, index) => part.kind !== 'conflict' || choices.has(index))
  return (
    <Alert
      color="orange"
      variant="light"
      role="alert"
      icon={<GitMerge size={18} aria-hidden />}
      title="Someone else has saved this script"
    >
      <Stack gap="sm">
        <Text size="sm">
          Version {latest.version} was saved after version {base.version}, which you edited. Your changes are still in
          the editor below.{' '}
          {comparison.kind === 'stopped' && `They differ too much to compare. This is version ${latest.version}:`}
          {comparison.kind === 'done' &&
            (conflicts === 0
              ? 'Both versions changed different lines.'
              : `Both versions changed the same lines in ${conflicts === 1 ? '1 place' : `${conflicts} places`}.`)}
        </Text>
        {comparison.kind === 'stopped' && <CodeBlock text={theirs} label={`Version ${latest.version}`} />}
        <ThreeWayDiff
          parts={parts}
          version={latest.version}
          choices={choices}
          onChoose={(index, choice) => setChoices(new Map([...choices, [index, choice]]))}
        />
        <Group gap="xs">
          <Button disabled={!canMerge} onClick={() => props.onUseMerged(mergedText(parts, choices))}>
            Merge into the editor
          </Button>
          <Button variant="default" onClick={props.onUseLatest}>
            Discard my changes and use version {latest.version}
          </Button>
          <Button variant="default" loading={props.isPending} onClick={() => props.onOverwrite(latest.version)}>
            Overwrite with my changes
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
