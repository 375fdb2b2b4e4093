'use client'

import { Button, Menu } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Pencil, Plus, Power, PowerOff, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { mutation, query } from '../../../client/api.ts'
import { useReach } from '../../../client/use-reach.ts'
import { ConfirmRemoval } from '../../../components/confirm-removal.tsx'
import { LinkTabs } from '../../../components/link-tabs.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { NameDialog } from '../../../components/name-dialog.tsx'
import { PageFrame } from '../../../components/page-frame.tsx'
import { SwitchAllDialog } from '../../../components/switch-all-dialog.tsx'

type Asked = 'create' | 'rename' | 'remove' | 'on' | 'off' | null

/** What every page of a workspace has in common: its name, what can be done with it, and the way to the rest. */
export function WorkspaceShell({ id, children }: { id: string; children: ReactNode }) {
  const router = useRouter()
  const { mayRead, mayWrite } = useReach('workspace', id)
  const [asked, setAsked] = useState<Asked>(null)
  const workspace = useQuery(query('workspaces.get', { id }))
  const remove = useMutation({ ...mutation('workspaces.remove'), onSuccess: () => router.push('/workspaces') })
  const close = () => setAsked(null)
  const base = `/workspaces/${id}`
  const exportPath = `/api/export/workspaces/${id}`
  return (
    <Loaded query={workspace}>
      {({ name }) => (
        <PageFrame
          title={name}
          crumbs={[{ label: 'Workspaces', href: '/workspaces' }]}
          actions={
            mayWrite ? (
              <>
                <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setAsked('create')}>
                  New project
                </Button>
                <MoreMenu label="More for this workspace">
                  <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={() => setAsked('rename')}>
                    Rename
                  </Menu.Item>
                  <Menu.Item leftSection={<Power size={15} aria-hidden />} onClick={() => setAsked('on')}>
                    Switch all services on
                  </Menu.Item>
                  <Menu.Item leftSection={<PowerOff size={15} aria-hidden />} onClick={() => setAsked('off')}>
                    Switch all services off
                  </Menu.Item>
                  <Menu.Item component="a" href={exportPath} download leftSection={<Download size={15} aria-hidden />}>
                    Export configuration
                  </Menu.Item>
                  <Menu.Divider />
                  <Menu.Item
                    color="red"
                    leftSection={<Trash2 size={15} aria-hidden />}
                    onClick={() => setAsked('remove')}
                  >
                    Delete workspace
                  </Menu.Item>
                </MoreMenu>
              </>
            ) : (
              mayRead && (
                <Button
                  component="a"
                  href={exportPath}
                  download
                  variant="default"
                  leftSection={<Download size={16} aria-hidden />}
                >
                  Export configuration
                </Button>
              )
            )
          }
        >
          <LinkTabs
            label="Workspace"
            tabs={[
              { label: 'Projects', href: base },
              { label: 'Variables', href: `${base}/variables` },
              { label: 'Webhooks', href: `${base}/webhooks` },
              ...(mayWrite ? [{ label: 'Access', href: `${base}/access` }] : []),
            ]}
          />
          {children}
          {asked === 'create' && (
            <NameDialog
              path="projects.create"
              title="New project"
              verb="Create project"
              toInput={(name) => ({ workspaceId: id, name })}
              onClose={close}
              onDone={(project) => router.push(`/projects/${project.id}`)}
            />
          )}
          {asked === 'rename' && (
            <NameDialog
              path="workspaces.rename"
              title="Rename workspace"
              verb="Rename"
              initialName={name}
              toInput={(name) => ({ id, name })}
              onClose={close}
              onDone={close}
            />
          )}
          {(asked === 'on' || asked === 'off') && (
            <SwitchAllDialog
              path="workspaces.toggleServices"
              id={id}
              isActive={asked === 'on'}
              where={`every project of ${name}`}
              onClose={close}
            />
          )}
          <ConfirmRemoval
            opened={asked === 'remove'}
            onClose={close}
            title="Delete workspace"
            warning="Its projects, services, variables and results go with it. This cannot be undone."
            verb="Delete workspace"
            typed={name}
            isPending={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate({ id })}
          />
        </PageFrame>
      )}
    </Loaded>
  )
}
