'use client'

import { Button, Menu } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Pencil, Plus, Power, PowerOff, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { mutation, query } from '../../../client/api.ts'
import { useWorkspaceCrumbs } from '../../../client/use-crumbs.ts'
import { useReach } from '../../../client/use-reach.ts'
import { ConfirmRemoval } from '../../../components/confirm-removal.tsx'
import { LinkTabs } from '../../../components/link-tabs.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { NameDialog } from '../../../components/name-dialog.tsx'
import { PageFrame } from '../../../components/page-frame.tsx'
import { SwitchAllDialog } from '../../../components/switch-all-dialog.tsx'
import { NewServiceDialog } from './new-service-dialog.tsx'

type Asked = 'create' | 'rename' | 'remove' | 'on' | 'off' | null

/** What every page of a project has in common: its name, what can be done with it, and the way to the rest. */
export function ProjectShell({ id, children }: { id: string; children: ReactNode }) {
  const router = useRouter()
  const { mayRead, mayWrite } = useReach('project', id)
  const [asked, setAsked] = useState<Asked>(null)
  const project = useQuery(query('projects.get', { id }))
  const crumbs = useWorkspaceCrumbs(project.data?.workspaceId)
  const remove = useMutation({
    ...mutation('projects.remove'),
    onSuccess: () => router.push(`/workspaces/${project.data?.workspaceId}`),
  })
  const close = () => setAsked(null)
  const base = `/projects/${id}`
  const exportPath = `/api/export/projects/${id}`
  return (
    <Loaded query={project}>
      {({ name }) => (
        <PageFrame
          title={name}
          crumbs={crumbs}
          actions={
            mayWrite ? (
              <>
                <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setAsked('create')}>
                  New service
                </Button>
                <MoreMenu label="More for this project">
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
                    Delete project
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
            label="Project"
            tabs={[
              { label: 'Services', href: base },
              { label: 'Variables', href: `${base}/variables` },
              { label: 'Webhooks', href: `${base}/webhooks` },
              ...(mayWrite ? [{ label: 'Access', href: `${base}/access` }] : []),
            ]}
          />
          {children}
          {asked === 'create' && <NewServiceDialog projectId={id} onClose={close} />}
          {asked === 'rename' && (
            <NameDialog
              path="projects.rename"
              title="Rename project"
              verb="Rename"
              initialName={name}
              toInput={(name) => ({ id, name })}
              onClose={close}
              onDone={close}
            />
          )}
          {(asked === 'on' || asked === 'off') && (
            <SwitchAllDialog
              path="projects.toggleServices"
              id={id}
              isActive={asked === 'on'}
              where={name}
              onClose={close}
            />
          )}
          <ConfirmRemoval
            opened={asked === 'remove'}
            onClose={close}
            title="Delete project"
            warning="Its services, variables and results go with it. This cannot be undone."
            verb="Delete project"
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
