import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"

import { ExportList } from "../../../components/export-list"
import { formatForTitle, useFormat } from "../../../lib/format"

/** All exports, to which the latest ones lead; it has no place of its own in the menu. */
const ExportsPage = () => (
  <LayoutComposer
    widgetsZonePrefix="payment_service_export.list"
    preferredLayoutId="core:single-column"
    sections={{
      main: (
        <LayoutComposer.Entry id="PaymentServiceExports">
          <Container className="divide-y p-0">
            <ExportList />
          </Container>
        </LayoutComposer.Entry>
      ),
    }}
  />
)

export const handle = {
  breadcrumb: () => <ExportsBreadcrumb />,
  seo: () => ({ title: formatForTitle().t("exports.list") }),
}

const ExportsBreadcrumb = () => <>{useFormat().t("exports.list")}</>

export default ExportsPage
