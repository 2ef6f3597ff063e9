/** The rules of the shop, as the desk reads them out. */
export const policy: Record<string, string> = {
  returns: `Returns and refunds (R-3, valid from January)
1. Unused goods can be returned within 30 days of delivery. Members have 60 days.
2. The day of delivery is the day of the carrier's last scan, not the day the parcel was picked up from a shop.
3. Worn goods are refunded only when they were faulty. Faulty means: a seam, zip, pole or sole that failed in normal use. Stains, burns and cuts are not faults.
4. A refund goes back to the payment it came from. Gift cards are refunded as gift cards, always.
5. A refund of more than 250.00 for one line needs a supervisor. The desk records the request and says that an answer comes within two working days. The desk does not promise the outcome.
6. Return postage is free for faulty goods and for members. Otherwise 4.90 is kept back.
7. Sleeping bags and underwear must have their hygiene seal.
8. Tents are looked at before they are refunded: five working days from when they arrive.`,
  exchanges: `Exchanges (E-2)
1. A line that was delivered can be exchanged for another size of the same product within the return period.
2. The new size must be in stock. The desk never promises stock that the catalogue does not show.
3. One exchange for each line. After that it is a return.
4. A price that has changed since is neither charged nor refunded.
5. Boots are exchanged unworn only. "Tried on indoors" is unworn.`,
  changes: `Changes to an order (C-4)
1. The address can be changed while an order is processing. Once packed it cannot: the label is on the parcel.
2. An order can be cancelled while it is processing or packed. Once shipped, it is refused at the door or returned.
3. Cancelled orders are refunded in full at once, postage included.
4. Lines cannot be added to an order. A new order ships on its own.
5. A change of address is read back to the customer before it is made.`,
  shipping: `Shipping (S-5)
1. Orders placed before 14:00 are packed on the same working day.
2. Nordpost takes two to four working days, Bring & Go one to two. Remote islands take two more.
3. A parcel counts as lost ten working days after its last scan. The desk then opens a search with the carrier, which takes up to eight working days, and after that sends the goods again or refunds them.
4. A parcel that was left at the wrong place is searched for at once.
5. Gas, fuel and batteries over 100 Wh are not sent by mail.`,
  conduct: `How the desk works (D-1)
1. Look the customer up before talking about an order. Never read out another customer's data.
2. One change at a time, each confirmed by the customer first.
3. Wishes about contact (no phone, no text messages) are written down as a note and kept.
4. When something cannot be done, say which rule says so, and what can be done.`,
};
