import type { BoardService } from '#server/schemas/status/board.ts'
import { statusLabel } from '#server/schemas/status/status-text.ts'
import { millisecondsText, uptimeText } from '../../../components/numbers.ts'
import { causeParts } from '../../../components/status/cause-parts.ts'
import { STATE_LOOKS } from '../../../components/status/state-looks.ts'
import { useSinceText } from '../../../components/status/use-since-text.ts'
import classes from './wall.module.css'

/** Whether a service has a large tile, with its cause. */
export function isLarge({ state }: BoardService): boolean {
  return state === 'failing' || state === 'degraded'
}

/** A service on the wall. */
export function Tile({ service }: { service: BoardService }) {
  return (
    <li className={classes.tile} data-state={service.state} data-large={isLarge(service) || undefined}>
      {isLarge(service) ? <Problem service={service} /> : <Summary service={service} />}
    </li>
  )
}

function Problem({ service }: { service: BoardService }) {
  const sinceText = useSinceText()
  const { icon: Icon } = STATE_LOOKS[service.state]
  const { name, cause, incident } = service
  const { request, reason } = causeParts(cause ?? '')
  return (
    <>
      <div className={classes.state}>
        <Icon className={classes.icon} aria-hidden />
        {statusLabel(service.state)} {sinceText(service)}
        {service.maintenance && ' · maintenance'}
      </div>
      <div className={classes.name}>{name}</div>
      <div className={classes.reason}>{reason}</div>
      {/* Who takes care of it is worth more than the address. */}
      {incident?.acknowledgedAt ? (
        <div className={classes.detail}>Acknowledged by {incident.acknowledgedBy}</div>
      ) : (
        request && <div className={classes.detail}>{request}</div>
      )}
    </>
  )
}

function Summary({ service }: { service: BoardService }) {
  const sinceText = useSinceText()
  const { icon: Icon } = STATE_LOOKS[service.state]
  return (
    <>
      <div className={classes.name}>
        <Icon className={classes.icon} role="img" aria-label={statusLabel(service.state)} />
        {service.name}
      </div>
      <div className={classes.detail}>
        {service.maintenance && 'Maintenance · '}
        {service.state === 'passing'
          ? `${uptimeText(service.uptime24h)} up · p95 ${millisecondsText(service.p95Ms)}`
          : `${statusLabel(service.state)}${service.state === 'unknown' ? ` ${sinceText(service)}` : ''}`}
      </div>
    </>
  )
}
