import { Stack, Text } from '@mantine/core'
import { CodeBlock } from '../code-block.tsx'

/** More text on a page would block it. */
const TEXT_MAX = 20_000

/** Two texts that could not be compared, one below the other, and the reason. */
export function BothTexts(props: { reason: string; before: string; after: string }) {
  const isCut = Math.max(props.before.length, props.after.length) > TEXT_MAX
  return (
    <Stack gap="xs">
      <Text size="sm">{props.reason}</Text>
      {(['before', 'after'] as const).map((side) => (
        <div key={side}>
          <Text size="xs">{side === 'before' ? 'Before' : 'After'}</Text>
          <CodeBlock text={props[side].slice(0, TEXT_MAX)} label={side === 'before' ? 'Before' : 'After'} wrap />
        </div>
      ))}
      {isCut && (
        <Text size="xs" c="dimmed">
          The first {TEXT_MAX.toLocaleString('en')} characters of each.
        </Text>
      )}
    </Stack>
  )
}
