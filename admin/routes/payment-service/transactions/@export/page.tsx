import { ExportDrawer } from "../../../../components/export-drawer"
import { useExportQuery } from "../../../../lib/export-query"
import { useFormat } from "../../../../lib/format"

const ExportPage = () => (
  <ExportDrawer asked={useExportQuery()} title={useFormat().t("exports.title")} />
)

export default ExportPage
