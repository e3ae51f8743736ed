import { setAddresses } from "@lib/data/cart"

const fields = {
  email: "shopper@shop.test",
  first_name: "Анна",
  address_1: "Тверская 1",
  city: "Москва",
  postal_code: "101000",
}

export default function Addresses() {
  return (
    <form action={setAddresses}>
      {Object.entries(fields).map(([name, value]) => (
        <p key={name}>
          <label>
            {name} <input name={name} defaultValue={value} required />
          </label>
        </p>
      ))}
      <button data-testid="submit-address-button">Continue to payment</button>
    </form>
  )
}
