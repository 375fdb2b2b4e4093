'use client'

import { Button } from '@mantine/core'
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { mutation, query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { containerTitle } from '../../client/titles/titles.ts'
import { useTitle } from '../../client/titles/use-title.ts'
import { useResourceAccess } from '../../client/use-resource-access.ts'
import { Bell } from '../alerts/bell.tsx'
import { ConfirmRemoval } from '../forms/confirm-removal.tsx'
import { NameDialog } from '../forms/name-dialog.tsx'
import { Download, Pencil, Power, PowerOff, Trash2 } from '../icons.ts'
import { CreateButton, CreateLink } from '../layout/create-button.tsx'
import { LinkTabs } from '../layout/link-tabs.tsx'
import { type Crumb, PageFrame } from '../layout/page-frame.tsx'
import { Loaded } from '../lists/loaded.tsx'
import { ContainerMaintenance } from '../maintenance/container-maintenance.tsx'
import { StartMaintenance } from '../maintenance/start-maintenance.tsx'
import { MoreMenu } from '../menus/more-menu.tsx'
import { CountsBadge } from '../status/state-badge.tsx'

const SwitchDialog = lazyDialog(async () => (await import('../switches/switch-dialog.tsx')).SwitchDialog)

const KINDS = {
  workspace: {
    label: 'Workspace',
    contents: 'Projects',
    newLabel: 'New project',
    allServices: (name: string) => `every service in every project of ${name}`,
    deletionWarning: 'This also deletes its projects, services, variables and results. This cannot be undone.',
  },
  project: {
    label: 'Project',
    contents: 'Services',
    newLabel: 'New service',
    allServices: (name: string) => `every service in ${name}`,
    deletionWarning:
      'This also deletes its services, variables and results. You can restore them for seven days, under Recently deleted.',
  },
} as const

type OpenDialog = 'create' | 'rename' | 'remove' | 'on' | 'off' | null

/** The frame of every page of a workspace or project: name, actions and tabs. */
export function ContainerShell(props: {
  kind: 'workspace' | 'project'
  id: string
  query: UseQueryResult<{ name: string }>
  crumbs: Crumb[]
  /** Creates a project in the workspace, or a service in the project: a dialog, or the address of a page. */
  create: string | ((close: () => void) => ReactNode)
  /** `name` is what the resource was called. */
  onRemoved: (name: string) => void
  children: ReactNode
}) {
  const { kind, id } = props
  const { label, contents, newLabel, allServices, deletionWarning } = KINDS[kind]
  const { mayRead, mayWrite } = useResourceAccess(kind, id)
  const counts = useQuery(query('status.summary', kind === 'workspace' ? { workspaceId: id } : { projectId: id }))
  useTitle(props.query.data && counts.data && containerTitle(props.query.data.name, counts.data))
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  const remove = useMutation({
    ...mutation<'workspaces.remove' | 'projects.remove'>(`${kind}s.remove`),
    onSuccess: () => props.onRemoved(props.query.data?.name ?? label),
  })
  const close = () => setOpenDialog(null)
  const onOrOff = openDialog === 'on' || openDialog === 'off' ? openDialog : null
  const base = `/${kind}s/${id}`
  const exportUrl = `/api/export${base}`
  return (
    <Loaded query={props.query}>
      {({ name }) => (
        <PageFrame
          title={name}
          crumbs={props.crumbs}
          badges={counts.data && <CountsBadge counts={counts.data} />}
          actions={
            <>
              <Bell resourceType={kind} resourceId={id} />
              {mayWrite ? (
                <>
                  <StartMaintenance resourceType={kind} resourceId={id} />
                  {typeof props.create === 'string' ? (
                    <CreateLink href={props.create}>{newLabel}</CreateLink>
                  ) : (
                    <CreateButton onClick={() => setOpenDialog('create')}>{newLabel}</CreateButton>
                  )}
                  <MoreMenu
                    label={`More actions for this ${kind}`}
                    entries={[
                      {
                        label: 'Rename',
                        icon: <Pencil size={15} aria-hidden />,
                        onSelect: () => setOpenDialog('rename'),
                      },
                      {
                        label: 'Switch all services on',
                        icon: <Power size={15} aria-hidden />,
                        onSelect: () => setOpenDialog('on'),
                      },
                      {
                        label: 'Switch all services off',
                        icon: <PowerOff size={15} aria-hidden />,
                        onSelect: () => setOpenDialog('off'),
                      },
                      {
                        label: 'Export configuration',
                        icon: <Download size={15} aria-hidden />,
                        href: exportUrl,
                        download: true,
                      },
                      'divider',
                      {
                        label: `Delete ${kind}`,
                        icon: <Trash2 size={15} aria-hidden />,
                        color: 'red',
                        onSelect: () => setOpenDialog('remove'),
                      },
                    ]}
                  />
                </>
              ) : (
                mayRead && (
                  <Button
                    component="a"
                    href={exportUrl}
                    download
                    variant="default"
                    leftSection={<Download size={16} aria-hidden />}
                  >
                    Export configuration
                  </Button>
                )
              )}
            </>
          }
        >
          <LinkTabs
            label={label}
            tabs={[
              { label: contents, href: base },
              { label: 'Variables', href: `${base}/variables` },
              { label: 'Webhooks', href: `${base}/webhooks` },
              ...(mayWrite && kind === 'project' ? [{ label: 'Metrics', href: `${base}/metrics` }] : []),
              ...(mayWrite ? [{ label: 'Access', href: `${base}/access` }] : []),
            ]}
          />
          {mayRead && <ContainerMaintenance kind={kind} id={id} />}
          {props.children}
          {openDialog === 'create' && typeof props.create === 'function' && props.create(close)}
          {openDialog === 'rename' && (
            <NameDialog
              path={`${kind}s.rename`}
              title={`Rename ${kind}`}
              submitLabel="Rename"
              initialName={name}
              toInput={(name) => ({ id, name })}
              onClose={close}
              onDone={close}
            />
          )}
          {onOrOff && (
            <SwitchDialog
              path={`${kind}s.toggleServices`}
              input={{ id, isActive: onOrOff === 'on' }}
              title={`Switch all services ${onOrOff}`}
              submitLabel={`Switch all ${onOrOff}`}
              onClose={close}
              onDone={close}
            >
              This switches {allServices(name)} {onOrOff}.
            </SwitchDialog>
          )}
          <ConfirmRemoval
            opened={openDialog === 'remove'}
            onClose={close}
            title={`Delete ${kind}`}
            warning={deletionWarning}
            submitLabel={`Delete ${kind}`}
            confirmationText={name}
            mutation={remove}
            onConfirm={() => remove.mutate({ id })}
          />
        </PageFrame>
      )}
    </Loaded>
  )
}
