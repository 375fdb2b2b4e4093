'use client'

import { Button, Group, Modal, SegmentedControl, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Service } from '#server/schemas/services.ts'
import { mutation, type Output, query } from '../../../../client/api.ts'
import { Instant, useDateTimeText } from '../../../../components/instant.tsx'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { PagedTable } from '../../../../components/lists/paged-table.tsx'
import { Table } from '../../../../components/lists/table.tsx'
import { ProblemAlert } from '../../../../components/problem-alert.tsx'
import { ScriptDiff } from '../../../../components/script-editor/script-diff.tsx'

type Entry = Output<'services.versions.list'>['items'][number]
type Props = {
  service: Service
  text: string
  mayWrite: boolean
  /** What is compared at first. `before` null: the version before it. */
  compared: { before: number | null; after: number } | null
  onRestored: (saved: Service) => void
  onClose: () => void
}

/** The saved versions of the script: who saved them when, what they changed, and a button that restores one. */
export function VersionsDialog(props: Props) {
  const { service, compared } = props
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState(compared?.after ?? null)
  const versions = useQuery(query('services.versions.list', { id: service.id, page, pageSize: 10 }))
  return (
    <Modal opened onClose={props.onClose} title="Versions of the script" size="xl" centered>
      <Stack>
        <PagedTable
          query={versions}
          onPage={setPage}
          empty={<Text size="sm">No version is saved yet.</Text>}
          verticalSpacing={6}
          columns={['Version', 'Saved by', 'Saved', '']}
          aria-label="Versions"
        >
          {(entry) => (
            <Table.Tr key={entry.version} aria-current={entry.version === chosen || undefined}>
              <Table.Td>{versionText(entry, service.version)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{authorText(entry)}</Table.Td>
              <Table.Td>
                <Instant at={entry.createdAt} />
              </Table.Td>
              <Table.Td ta="right">
                <Button size="compact-sm" variant="default" onClick={() => setChosen(entry.version)}>
                  Compare<VisuallyHidden> version {entry.version}</VisuallyHidden>
                </Button>
              </Table.Td>
            </Table.Tr>
          )}
        </PagedTable>
        {chosen !== null && (
          <Comparison
            key={chosen}
            {...props}
            version={chosen}
            since={chosen === compared?.after ? compared.before : null}
          />
        )}
      </Stack>
    </Modal>
  )
}

/** One version beside the one before it, an older one that an address names, or the text in the editor. */
function Comparison(props: Props & { version: number; since: number | null }) {
  const { service, text, mayWrite, onRestored, version, since } = props
  const dateTimeText = useDateTimeText()
  const [against, setAgainst] = useState(since === null ? 'previous' : 'since')
  const found = useQuery({ ...query('services.versions.get', { id: service.id, version }), staleTime: Infinity })
  const older = useQuery({
    ...query('services.versions.get', { id: service.id, version: since ?? version }),
    enabled: since !== null,
    staleTime: Infinity,
  })
  const restore = useMutation({ ...mutation('services.versions.restore'), onSuccess: onRestored })
  return (
    <Loaded query={found}>
      {(entry) => (
        <Stack gap="xs">
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600}>
              Version {version}, {dateTimeText(entry.createdAt)}
            </Text>
            <SegmentedControl
              size="xs"
              aria-label="Compare with"
              value={against}
              onChange={setAgainst}
              data={[
                ...(since === null ? [] : [{ value: 'since', label: `Since version ${since}` }]),
                ...(since !== null && since === entry.previous?.version ? [] : [previousChoice(entry)]),
                { value: 'editor', label: 'Compared with the editor' },
              ]}
            />
          </Group>
          {against === 'since' ? (
            <Loaded query={older}>
              {({ script }) => (
                <ScriptDiff
                  before={script}
                  after={entry.script}
                  label={`Changes from version ${since} to ${version}`}
                />
              )}
            </Loaded>
          ) : against === 'previous' ? (
            <ScriptDiff
              before={entry.previous?.script ?? ''}
              after={entry.script}
              label={`Changes of version ${version}`}
            />
          ) : (
            <ScriptDiff before={entry.script} after={text} label={`Changes since version ${version}`} />
          )}
          <ProblemAlert error={restore.error} />
          {mayWrite && version !== service.version && (
            <Group justify="flex-end">
              <Button
                loading={restore.isPending}
                onClick={() => restore.mutate({ id: service.id, restore: version, version: service.version })}
              >
                Restore version {version}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

function previousChoice({ previous }: Output<'services.versions.get'>) {
  return { value: 'previous', label: previous ? `Since version ${previous.version}` : 'Full text' }
}

function versionText({ version, restoredFrom }: Entry, current: number): string {
  const restored = restoredFrom === null ? '' : ` (restored ${restoredFrom})`
  return `${version}${version === current ? ' (current)' : ''}${restored}`
}

function authorText({ author, keyName }: Entry): string {
  const name = author?.name ?? 'unknown'
  return keyName === null ? name : `${name}, key ${keyName}`
}
