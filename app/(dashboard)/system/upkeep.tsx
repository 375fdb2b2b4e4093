import { Text } from '@mantine/core'
import type { SystemOverview } from '#server/schemas/system.ts'
import { Instant } from '../../components/instant.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { bytesText } from '../../components/numbers.ts'

/** Backup and mail: what an operator must be sure of. */
export function Upkeep({ system: { backup, mail } }: { system: SystemOverview }) {
  return (
    <Facts>
      <Fact title="Last backup">{backup ? <Instant at={backup.at} /> : 'None recorded'}</Fact>
      <Fact title="Backup contents">
        {backup ? (
          <>
            {backup.file} on {backup.host}: {bytesText(backup.bytes)}, {backup.bodies.toLocaleString('en')} bodies
            {backup.missing > 0 && `, ${backup.missing.toLocaleString('en')} missing`}
          </>
        ) : (
          <Text span size="sm" c="dimmed">
            Only backups made with npm run backup are recorded.
          </Text>
        )}
      </Fact>
      <Fact title="Last mail sent">
        {mail.lastSentAt ? <Instant at={mail.lastSentAt} /> : mail.isConfigured ? 'None yet' : 'SMTP_URL is not set'}
      </Fact>
      <Fact title="Last mail server error">
        {mail.lastFailure ? (
          <>
            <Instant at={mail.lastFailure.lastAt} />: {mail.lastFailure.detail}
          </>
        ) : (
          'None'
        )}
      </Fact>
    </Facts>
  )
}
