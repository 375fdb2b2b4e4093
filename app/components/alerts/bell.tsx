'use client'

import { Button, type ButtonProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ComponentPropsWithoutRef, lazy, Suspense, useState } from 'react'
import type { Hearing } from '#server/schemas/alerts/follows.ts'
import { query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { useMe } from '../../client/me.tsx'
import { Bell as BellIcon, BellOff, BellRing } from '../icons.ts'
import type { Resource } from './bell-popover.tsx'
import { webhooksText } from './hearing-text.ts'

const BellPopover = lazy(async () => ({ default: (await import('./bell-popover.tsx')).BellPopover }))

const MaintenanceDialog = lazyDialog(
  async () => (await import('../maintenance/maintenance-dialog.tsx')).MaintenanceDialog,
)

/** On a phone, a long label has several lines. */
const WRAPPING = {
  root: { height: 'auto', minHeight: 36, maxWidth: '100%', paddingBlock: 6 },
  label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.3 },
} as const

/** The button on the page of a resource that says whether and how the member is notified of it; follows and mutes it. */
export function Bell(resource: Resource) {
  const [isUsed, setUsed] = useState(false)
  const [isMutingAll, setMutingAll] = useState(false)
  const { sendsMail } = useMe()
  const hearing = useQuery(query('follows.get', resource))
  // The page's own requests say why nothing can be loaded.
  if (!hearing.data) return null
  const { icon: Icon, label } = stateOf(hearing.data, sendsMail)
  const button = (target: ButtonProps & ComponentPropsWithoutRef<'button'>) => (
    <Button variant="default" leftSection={<Icon size={16} aria-hidden />} styles={WRAPPING} {...target}>
      {label}
    </Button>
  )
  const closed = button({ 'aria-haspopup': 'dialog', 'aria-expanded': false, onClick: () => setUsed(true) })
  if (!isUsed) return closed
  return (
    <>
      <Suspense fallback={closed}>
        <BellPopover resource={resource} hearing={hearing.data} onMuteAll={() => setMutingAll(true)}>
          {button}
        </BellPopover>
      </Suspense>
      {isMutingAll && (
        <MaintenanceDialog
          {...resource}
          title={`Mute this ${resource.resourceType} for everybody`}
          submitLabel="Mute for everybody"
          onClose={() => setMutingAll(false)}
        />
      )}
    </>
  )
}

/** A longer name of a webhook would make the label too long. */
const NAME_MAX = 24

/** Names a single webhook, and counts several. */
function webhooksLabel({ webhooks, webhooksTotal }: Hearing): string {
  if (webhooksTotal !== 1) return `${webhooksTotal} webhooks`
  return webhooks?.[0] && webhooks[0].name.length <= NAME_MAX ? webhooksText(webhooks) : '1 webhook'
}

function stateOf(hearing: Hearing, sendsMail: boolean) {
  const { heardThrough, heardWithin, silenced, webhooksTotal } = hearing
  const webhooks = webhooksLabel(hearing)
  const hasWebhooks = webhooksTotal > 0
  if (heardThrough.length === 0 && heardWithin === 0) {
    return { icon: BellIcon, label: hasWebhooks ? `Alerts off for you, on for ${webhooks}` : 'Alerts off' }
  }
  if (silenced)
    return { icon: BellOff, label: hasWebhooks ? `Alerts muted for you, on for ${webhooks}` : 'Alerts muted' }
  const on = heardThrough.length > 0 ? 'Alerts on' : 'Alerts partly on'
  const icon = heardThrough.length > 0 && (sendsMail || hasWebhooks) ? BellRing : BellIcon
  if (sendsMail) return { icon, label: `${on}: mail to you${hasWebhooks ? ` and ${webhooks}` : ''}` }
  return {
    icon,
    label: hasWebhooks ? `${on} for ${webhooks}, but mail is not configured` : `${on}, but mail is not configured`,
  }
}
