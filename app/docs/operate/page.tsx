import { OperateView, operateMetadata } from './operate-view.tsx'

export const metadata = operateMetadata('operate')

export default function OperatePage() {
  return <OperateView name="operate" />
}
