'use client'

import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { AgentState } from '#server/schemas/organization/agents.ts'
import { mutation } from '../../../client/api.ts'
import { lazyDialog } from '../../../client/lazy-dialog.ts'
import { Pencil, Power, Trash2 } from '../../../components/icons.ts'
import { MoreMenu } from '../../../components/menus/more-menu.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'

const EnrolDialog = lazyDialog(async () => (await import('../enrol-dialog.tsx')).EnrolDialog)
const SwitchOffDialog = lazyDialog(async () => (await import('../switch-off-dialog.tsx')).SwitchOffDialog)
const RenameDialog = lazyDialog(async () => (await import('./rename-dialog.tsx')).RenameDialog)
const RemoveDialog = lazyDialog(async () => (await import('./remove-dialog.tsx')).RemoveDialog)

type Props = { agent: AgentState; mayWrite: boolean; mayEnrol: boolean }
type Opened = 'enrol' | 'rename' | 'switch' | 'remove' | null

/** What the member may do with an agent: a shared one can only be switched off for the organization. */
export function AgentActions({ agent, mayWrite, mayEnrol }: Props) {
  const [opened, setOpened] = useState<Opened>(null)
  const router = useRouter()
  const switchOn = useMutation(mutation('organization.agents.setActive'))
  const close = () => setOpened(null)
  const toggle = agent.isActive
    ? { label: 'Switch off', icon: <Power size={16} aria-hidden />, onSelect: () => setOpened('switch') }
    : {
        label: 'Switch on',
        icon: <Power size={16} aria-hidden />,
        onSelect: () => switchOn.mutate({ slug: agent.slug, isActive: true }),
      }
  const ofOwn = [
    { label: 'Rename', icon: <Pencil size={16} aria-hidden />, onSelect: () => setOpened('rename') },
    toggle,
    'divider' as const,
    { label: 'Remove', icon: <Trash2 size={16} aria-hidden />, color: 'red', onSelect: () => setOpened('remove') },
  ]
  return (
    <>
      <ProblemAlert error={switchOn.error} />
      {mayEnrol && !agent.isShared && agent.isActive && (
        <Button variant="default" onClick={() => setOpened('enrol')}>
          Enrol a machine
        </Button>
      )}
      {mayWrite && <MoreMenu label="More actions for this agent" entries={agent.isShared ? [toggle] : ofOwn} />}
      {opened === 'enrol' && <EnrolDialog slug={agent.slug} onClose={close} />}
      {opened === 'rename' && (
        <RenameDialog agent={agent} onClose={close} onDone={({ slug }) => router.replace(`/agents/${slug}`)} />
      )}
      {opened === 'switch' && <SwitchOffDialog agent={agent} onClose={close} />}
      {opened === 'remove' && <RemoveDialog agent={agent} onClose={close} onDone={() => router.push('/agents')} />}
    </>
  )
}
