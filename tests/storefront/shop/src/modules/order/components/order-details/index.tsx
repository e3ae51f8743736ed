import { HttpTypes } from "@medusajs/types"

const OrderDetails = ({ order }: { order: HttpTypes.StoreOrder }) => (
  <p>
    Order number: <span data-testid="order-id">{order.display_id}</span>
  </p>
)

export default OrderDetails
