import { Prefetch } from '../../../../prefetch.tsx'
import { ScriptView } from './script-view.tsx'

export default async function ScriptPage({ params }: { params: Promise<{ serviceId: string }> }) {
  const id = (await params).serviceId
  return (
    <Prefetch load={(load) => Promise.all([load('services.get', { id }), load('variables.service.hierarchy', { id })])}>
      <ScriptView id={id} />
    </Prefetch>
  )
}
