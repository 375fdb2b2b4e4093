import { durationText } from '#server/schemas/duration-text.ts'
import type { BoardService } from '#server/schemas/status/board.ts'
import { useNow } from '../../../client/now.tsx'
import { millisecondsText, uptimeText } from '../../../components/numbers.ts'
import { STATE_LOOKS } from '../../../components/status/state-looks.ts'
import classes from './wall.module.css'

/** A service on the wall. */
export function Tile({ service }: { service: BoardService }) {
  const now = useNow()
  const { icon: Icon, label } = STATE_LOOKS[service.state]
  const { since, incident } = service
  return (
    <li className={classes.tile} data-state={service.state}>
      <div className={classes.state}>
        <Icon size={30} aria-hidden />
        <span>{label}</span>
        {since && service.state !== 'pending' && <span>{durationText(Math.max(0, now - Date.parse(since)))}</span>}
      </div>
      <div className={classes.name}>{service.name}</div>
      <div className={classes.detail}>
        {service.cause ?? `${uptimeText(service.uptime24h)} up · p95 ${millisecondsText(service.p95Ms)}`}
      </div>
      {incident?.acknowledgedAt && <div className={classes.detail}>Acknowledged by {incident.acknowledgedBy}</div>}
    </li>
  )
}
