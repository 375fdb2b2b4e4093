'use client'

import { Button, Menu } from '@mantine/core'
import { type UseQueryResult, useMutation } from '@tanstack/react-query'
import { Download, Pencil, Plus, Power, PowerOff, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { mutation } from '../../client/api.ts'
import { useReach } from '../../client/use-reach.ts'
import { ConfirmRemoval } from '../confirm-removal.tsx'
import { Loaded } from '../lists/loaded.tsx'
import { NameDialog } from '../name-dialog.tsx'
import { SwitchDialog } from '../switches/switch-dialog.tsx'
import { LinkTabs } from './link-tabs.tsx'
import { MoreMenu } from './more-menu.tsx'
import { type Crumb, PageFrame } from './page-frame.tsx'

const KINDS = {
  workspace: {
    label: 'Workspace',
    contents: 'Projects',
    newLabel: 'New project',
    everyService: (name: string) => `every service in every project of ${name}`,
    goesWithIt: 'Its projects, services, variables and results go with it.',
  },
  project: {
    label: 'Project',
    contents: 'Services',
    newLabel: 'New service',
    everyService: (name: string) => `every service in ${name}`,
    goesWithIt: 'Its services, variables and results go with it.',
  },
} as const

type Asked = 'create' | 'rename' | 'remove' | 'on' | 'off' | null

/** What the pages of a workspace and of a project have in common: its name, what can be done with it, and the way to the rest. */
export function ContainerShell(props: {
  kind: 'workspace' | 'project'
  id: string
  query: UseQueryResult<{ name: string }>
  crumbs: Crumb[]
  /** The dialog that makes something in it. */
  creation: (close: () => void) => ReactNode
  onRemoved: () => void
  children: ReactNode
}) {
  const { kind, id } = props
  const { label, contents, newLabel, everyService, goesWithIt } = KINDS[kind]
  const { mayRead, mayWrite } = useReach(kind, id)
  const [asked, setAsked] = useState<Asked>(null)
  const remove = useMutation({
    ...mutation<'workspaces.remove' | 'projects.remove'>(`${kind}s.remove`),
    onSuccess: props.onRemoved,
  })
  const close = () => setAsked(null)
  const base = `/${kind}s/${id}`
  const exporting = { component: 'a', href: `/api/export${base}`, download: true } as const
  return (
    <Loaded query={props.query}>
      {({ name }) => (
        <PageFrame
          title={name}
          crumbs={props.crumbs}
          actions={
            mayWrite ? (
              <>
                <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setAsked('create')}>
                  {newLabel}
                </Button>
                <MoreMenu label={`More for this ${kind}`}>
                  <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={() => setAsked('rename')}>
                    Rename
                  </Menu.Item>
                  <Menu.Item leftSection={<Power size={15} aria-hidden />} onClick={() => setAsked('on')}>
                    Switch all services on
                  </Menu.Item>
                  <Menu.Item leftSection={<PowerOff size={15} aria-hidden />} onClick={() => setAsked('off')}>
                    Switch all services off
                  </Menu.Item>
                  <Menu.Item {...exporting} leftSection={<Download size={15} aria-hidden />}>
                    Export configuration
                  </Menu.Item>
                  <Menu.Divider />
                  <Menu.Item
                    color="red"
                    leftSection={<Trash2 size={15} aria-hidden />}
                    onClick={() => setAsked('remove')}
                  >
                    Delete {kind}
                  </Menu.Item>
                </MoreMenu>
              </>
            ) : (
              mayRead && (
                <Button {...exporting} variant="default" leftSection={<Download size={16} aria-hidden />}>
                  Export configuration
                </Button>
              )
            )
          }
        >
          <LinkTabs
            label={label}
            tabs={[
              { label: contents, href: base },
              { label: 'Variables', href: `${base}/variables` },
              { label: 'Webhooks', href: `${base}/webhooks` },
              ...(mayWrite ? [{ label: 'Access', href: `${base}/access` }] : []),
            ]}
          />
          {props.children}
          {asked === 'create' && props.creation(close)}
          {asked === 'rename' && (
            <NameDialog
              path={`${kind}s.rename`}
              title={`Rename ${kind}`}
              verb="Rename"
              initialName={name}
              toInput={(name) => ({ id, name })}
              onClose={close}
              onDone={close}
            />
          )}
          {(asked === 'on' || asked === 'off') && (
            <SwitchDialog
              path={`${kind}s.toggleServices`}
              input={{ id, isActive: asked === 'on' }}
              title={`Switch all services ${asked}`}
              verb={`Switch all ${asked}`}
              onClose={close}
              onDone={close}
            >
              This switches {everyService(name)} {asked}, in one step.
            </SwitchDialog>
          )}
          <ConfirmRemoval
            opened={asked === 'remove'}
            onClose={close}
            title={`Delete ${kind}`}
            warning={`${goesWithIt} This cannot be undone.`}
            verb={`Delete ${kind}`}
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
