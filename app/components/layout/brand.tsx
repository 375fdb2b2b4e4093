import { Group, Text } from '@mantine/core'

/** The logo with the product name. */
export function Brand({ size = 26 }: { size?: number }) {
  return (
    <Group gap={8} wrap="nowrap">
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--accent)" />
        <path
          d="M4 17h5l2.6-7 4.2 14 3.8-11 2 4H28"
          fill="none"
          stroke="var(--on-accent)"
          strokeWidth="2.4"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <Text fw={600} fz="lg" lh={1} style={{ letterSpacing: '-0.01em' }}>
        Soundline
      </Text>
    </Group>
  )
}
