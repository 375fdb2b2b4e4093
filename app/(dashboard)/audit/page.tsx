import type { Metadata } from 'next'
import { currentZone } from '../../current-zone.ts'
import { Prefetch } from '../../prefetch.tsx'
import { parseAddress, queryOf } from './audit-address.ts'
import { AuditLog } from './audit-log.tsx'

export const metadata: Metadata = { title: 'Audit log' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function AuditLogPage({ searchParams }: Props) {
  const address = parseAddress(await searchParams)
  const zone = await currentZone()
  return (
    <Prefetch
      load={(load) =>
        Promise.all([load('organization.audit.list', queryOf(address, zone)), load('organization.audit.people')])
      }
    >
      <AuditLog address={address} />
    </Prefetch>
  )
}
