import { GuideView, guideMetadata } from './guide-view.tsx'

export const metadata = guideMetadata('guide')

export default function GuidePage() {
  return <GuideView name="guide" />
}
