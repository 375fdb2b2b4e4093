'use client'

import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { versionsHref } from '../../client/addresses/versions-href.ts'
import { query } from '../../client/api.ts'
import { Link } from '../layout/link.tsx'
import { ScriptDiff } from '../script-editor/script-diff.tsx'

/** The change of the script between two runs, as far as both versions are stored. */
export function ScriptChange(props: { serviceId: string; before: number; after: number }) {
  const { serviceId, before, after } = props
  const [left, right] = useQueries({
    queries: [before, after].map((version) => ({
      ...query('services.versions.get', { id: serviceId, version }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  const isMissing = left?.isError || right?.isError
  return (
    <Stack gap={4} component="section" aria-label="Change of the script">
      <Group gap="xs">
        <Text size="sm" fw={600}>
          The script changed: version {before} → {after}
        </Text>
        <Anchor component={Link} href={versionsHref(serviceId, before, after)} size="sm">
          Open in the versions
        </Anchor>
      </Group>
      {isMissing ? (
        <Text size="sm">Not both versions are stored any more, so their texts are not compared.</Text>
      ) : (
        left?.data &&
        right?.data && (
          <ScriptDiff
            before={left.data.script}
            after={right.data.script}
            label={`Changes from version ${before} to ${after}`}
          />
        )
      )}
    </Stack>
  )
}
