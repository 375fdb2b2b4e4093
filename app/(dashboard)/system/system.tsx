'use client'

import { useQuery } from '@tanstack/react-query'
import { query } from '../../client/api.ts'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Section } from '../../components/layout/section.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { ScrollTable } from '../../components/lists/scroll-table.tsx'
import { Table } from '../../components/lists/table.tsx'
import { ProcessTable } from './process-table.tsx'
import { Storage } from './storage.tsx'
import { Upkeep } from './upkeep.tsx'
import { WarningList } from './warning-list.tsx'
import { Work } from './work.tsx'

const REFRESH_MS = 15_000

export function System() {
  const overview = useQuery({ ...query('system.overview'), refetchInterval: REFRESH_MS })
  return (
    <PageFrame
      title="System"
      intro="The state of this installation. Only the owner of the organization that set it up sees this page."
    >
      <Loaded query={overview}>
        {(system) => (
          <>
            <Section title="Warnings" intro="Problems in the last 30 days.">
              <WarningList warnings={system.warnings} />
            </Section>
            <Upkeep system={system} />
            <Section
              title="Processes"
              intro={system.version === null ? undefined : `The newest web process runs release ${system.version}.`}
            >
              <ProcessTable processes={system.processes} version={system.version} />
            </Section>
            <Section title="Work" intro="Runs and jobs that are due or waiting for a worker.">
              <Work work={system.work} />
            </Section>
            <Storage storage={system.storage} />
            <Section title="Settings" intro="The settings of this web process. Credentials and keys are not shown.">
              <ScrollTable columns={['Setting', 'Value']} aria-label="Settings">
                {system.settings.map(({ name, value }) => (
                  <Table.Tr key={name}>
                    <Table.Td>{name}</Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
                  </Table.Tr>
                ))}
              </ScrollTable>
            </Section>
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}
