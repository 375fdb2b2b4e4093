'use client'

import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import type { MergeChoice, MergePart } from '../../../../components/comparing/merge.ts'
import styles from '../../../../components/script-editor/diff.module.css'

type Props = {
  parts: MergePart[]
  /** The version that the other member saved. */
  version: number
  choices: ReadonlyMap<number, MergeChoice>
  onChoose: (index: number, choice: MergeChoice) => void
}

/** The changes of both members since the version that they have in common. Each conflict has a choice. */
export function ThreeWayDiff({ parts, version, choices, onChoose }: Props) {
  let conflict = 0
  return (
    <Stack gap="xs">
      {parts.map((part, index) => {
        if (part.kind === 'same') return null
        if (part.kind !== 'conflict') {
          const title = part.kind === 'mine' ? 'Your change' : `Change of version ${version}`
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts are replaced as a whole
          return <Side key={index} title={title} sign="+" lines={part.text} />
        }
        conflict++
        const label = `Conflict ${conflict}`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts are replaced as a whole
          <Stack key={index} gap={4}>
            <Group justify="space-between" gap="xs">
              <Text size="sm" fw={600}>
                {label}
              </Text>
              <SegmentedControl
                size="xs"
                aria-label={label}
                value={choices.get(index) ?? ''}
                onChange={(choice) => onChoose(index, choice as MergeChoice)}
                data={[
                  { value: 'theirs', label: `Version ${version}` },
                  { value: 'mine', label: 'Mine' },
                  { value: 'both', label: 'Both' },
                ]}
              />
            </Group>
            <Side title="Before" sign="-" lines={part.base} />
            <Side title={`Version ${version}`} sign="+" lines={part.theirs} />
            <Side title="Mine" sign="+" lines={part.mine} />
          </Stack>
        )
      })}
    </Stack>
  )
}

function Side({ title, sign, lines }: { title: string; sign: '+' | '-'; lines: string[] }) {
  return (
    <div>
      <Text size="xs">{title}</Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <section className={styles.frame} tabIndex={0} aria-label={title}>
        {(lines.length > 0 ? lines : ['(removed)']).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are replaced as a whole
          <code key={index} className={styles.line} data-kind={sign}>
            {line || ' '}
          </code>
        ))}
      </section>
    </div>
  )
}
