'use client'

import { Title } from '@mantine/core'
import type { BoardProject, BoardService } from '#server/schemas/status/board.ts'
import { LabelBadge } from '../../components/label-badge.tsx'
import { Link } from '../../components/layout/link.tsx'
import { RowLink } from '../../components/layout/row-link.tsx'
import { MaintenanceBadge } from '../../components/maintenance/maintenance-badge.tsx'
import { millisecondsText, uptimeText } from '../../components/numbers.ts'
import { Sparkline } from '../../components/status/sparkline.tsx'
import { CountsBadge, StateIcon } from '../../components/status/state-badge.tsx'
import classes from './board.module.css'

type Group = { id: string; services: BoardService[] }

/** The services that need no attention, by workspace and project or in one list. */
export function ServiceGroups(props: { services: BoardService[]; projects: BoardProject[]; isFlat: boolean }) {
  const { services, projects, isFlat } = props
  if (services.length === 0) return null
  if (isFlat) {
    return (
      <section aria-labelledby="others">
        <Title order={2} fz="md" id="others" mb={6}>
          Other services
        </Title>
        <Rows services={services} label="Other services" withPlace />
      </section>
    )
  }
  return groupByProject(services).map(({ id, services: own }) => {
    const [first] = own as [BoardService]
    const counts = projects.find((project) => project.id === id)?.counts
    return (
      <section key={id} aria-labelledby={`project-${id}`}>
        <div className={classes.groupHeading}>
          <Title order={2} fz="md" id={`project-${id}`} className={classes.place}>
            <Link href={`/workspaces/${first.workspaceId}`} className={classes.quiet}>
              {first.workspaceName}
            </Link>
            {' / '}
            <Link href={`/projects/${id}`} className={classes.quiet}>
              {first.projectName}
            </Link>
          </Title>
          {counts && <CountsBadge counts={counts} size="sm" />}
        </div>
        <Rows services={own} label={first.projectName} />
      </section>
    )
  })
}

function Rows(props: { services: BoardService[]; label: string; withPlace?: true }) {
  return (
    <table className={classes.rows} aria-label={props.label}>
      <thead>
        <tr>
          <th scope="col">Service</th>
          <th scope="col" className={classes.wide}>
            p95 by hour, 24 h
          </th>
          <th scope="col">p95</th>
          <th scope="col">Uptime 24 h</th>
          <th scope="col" className={classes.wide}>
            7 d
          </th>
        </tr>
      </thead>
      <tbody>
        {props.services.map((service) => (
          <tr key={service.id}>
            <td>
              <span className={classes.name}>
                <StateIcon state={service.state} />
                <span className={classes.heading}>
                  <RowLink href={`/services/${service.id}`}>{service.name}</RowLink>
                  <LabelBadge label={service.label} size="sm" />
                  <MaintenanceBadge maintenance={service.maintenance} />
                  {props.withPlace && (
                    <span className={classes.where}>
                      {service.workspaceName} / {service.projectName}
                    </span>
                  )}
                </span>
              </span>
            </td>
            <td className={classes.wide}>
              <Sparkline trend={service.trend} />
            </td>
            <td>{millisecondsText(service.p95Ms)}</td>
            <td>{uptimeText(service.uptime24h)}</td>
            <td className={classes.wide}>{uptimeText(service.uptime7d)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function groupByProject(services: BoardService[]): Group[] {
  const groups = new Map<string, Group>()
  for (const service of services) {
    const group = groups.get(service.projectId) ?? { id: service.projectId, services: [] }
    groups.set(service.projectId, group)
    group.services.push(service)
  }
  return [...groups.values()]
}
