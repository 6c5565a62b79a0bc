export const PriceCalculator = ({ perPage = 0.02, children }) => {
  const [pages, setPages] = useState(500);
  return (
    <div className="my-4 rounded-xl border p-4">
      <label className="flex items-center gap-4">
        <span className="w-28 tabular-nums">{pages} pages</span>
        <input className="grow" type="range" min="0" max="5000" step="100" value={pages} onInput={(e) => setPages(Number(e.target.value))} />
      </label>
      <p className="mt-2">That is <strong>{(pages * perPage).toFixed(2)} €</strong> a month.</p>
      {children}
    </div>
  );
};
